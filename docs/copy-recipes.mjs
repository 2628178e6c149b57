/** Copies the files of examples/recipes into the code blocks of README.md and docs/: `npm run docs`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const pages = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter((path) => path.endsWith('.md'))

for (const path of pages) {
  const text = readFileSync(path, 'utf8')
  const copied = text.replace(
    /^<!-- (examples\/\S+) -->\n```(\w+)\n[\s\S]*?^```$/gm,
    (_block, file, language) => `<!-- ${file} -->\n\`\`\`${language}\n${readFileSync(file, 'utf8')}\`\`\``
  )
  if (copied !== text) writeFileSync(path, copied)
}
