/** What an editor shows somebody who writes a host: TypeScript's language service over code that is in no file. */
import { join, resolve } from 'node:path'
import typescript from 'typescript'

export interface Editor {
  /** The compiler's messages about a file, each with the lines that explain it. */
  errors(name: string): string[]
  /** What is shown where the mouse rests on a property of the last object that has it. */
  hover(name: string, property: string): Hover
}

export interface Hover {
  signature: string
  meaning: string
  tags: Record<string, string>
}

/** @param files code by name, as if it stood in the folder `test` */
export function openEditor(files: Record<string, string>): Editor {
  const pathOf = (name: string) => resolve('test', `${name}.ts`)
  const texts = new Map(Object.entries(files).map(([name, text]) => [pathOf(name), text]))
  const { options } = typescript.parseJsonConfigFileContent(
    typescript.readConfigFile('tsconfig.json', typescript.sys.readFile).config,
    typescript.sys,
    '.'
  )
  const service = typescript.createLanguageService({
    ...typescript.sys,
    useCaseSensitiveFileNames: () => typescript.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...texts.keys(), resolve('test/support/server.ts')],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = texts.get(path) ?? typescript.sys.readFile(path)
      return text === undefined ? undefined : typescript.ScriptSnapshot.fromString(text)
    },
    fileExists: (path) => texts.has(path) || typescript.sys.fileExists(path),
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: (options) =>
      join(resolve('node_modules/typescript/lib'), typescript.getDefaultLibFileName(options))
  })
  return {
    errors: (name) =>
      [...service.getSyntacticDiagnostics(pathOf(name)), ...service.getSemanticDiagnostics(pathOf(name))].map(
        ({ messageText }) => typescript.flattenDiagnosticMessageText(messageText, '\n')
      ),
    hover(name, property) {
      const place = String(files[name]).lastIndexOf(`${property}:`)
      const info = service.getQuickInfoAtPosition(pathOf(name), place)
      return {
        signature: typescript.displayPartsToString(info?.displayParts),
        meaning: typescript.displayPartsToString(info?.documentation),
        tags: Object.fromEntries(
          (info?.tags ?? []).map(({ name, text }) => [name, typescript.displayPartsToString(text)])
        )
      }
    }
  }
}
