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

const { options } = typescript.parseJsonConfigFileContent(
  typescript.readConfigFile('tsconfig.json', typescript.sys.readFile).config,
  typescript.sys,
  '.'
)

/** What a host says of its tokens. */
const jwt = `
import '@fastify/jwt'
declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: { sub: string; role: string }
  }
}`

/** What packages and `src` declare is read once for all editors. */
const registry = typescript.createDocumentRegistry()

/** @param files code by name, as if it stood in the folder `test` */
export function openEditor(files: Record<string, string>): Editor {
  const pathOf = (name: string) => resolve('test', `${name}.ts`)
  const texts = new Map(Object.entries({ ...files, jwt }).map(([name, text]) => [pathOf(name), text]))
  const host: typescript.LanguageServiceHost = {
    ...typescript.sys,
    useCaseSensitiveFileNames: () => typescript.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...texts.keys()],
    // the registry keeps a file under its path and its version
    getScriptVersion: (path) => texts.get(path) ?? '1',
    getScriptSnapshot: (path) => {
      const text = texts.get(path) ?? typescript.sys.readFile(path)
      return text === undefined ? undefined : typescript.ScriptSnapshot.fromString(text)
    },
    fileExists: (path) => texts.has(path) || typescript.sys.fileExists(path),
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: (options) =>
      join(resolve('node_modules/typescript/lib'), typescript.getDefaultLibFileName(options))
  }
  const service = typescript.createLanguageService(host, registry)
  return {
    errors: (name) =>
      [...service.getSyntacticDiagnostics(pathOf(name)), ...service.getSemanticDiagnostics(pathOf(name))].map(
        ({ messageText }) => typescript.flattenDiagnosticMessageText(messageText, '\n')
      ),
    hover(name, property) {
      const [place] = [...String(files[name]).matchAll(new RegExp(`\\b${property}:`, 'g'))]
        .map(({ index }) => index)
        .slice(-1)
      const info = service.getQuickInfoAtPosition(pathOf(name), place ?? 0)
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

/** What is shown where the mouse rests on an export of these files, or on a property that an export leads to. */
export function hoverTexts(...paths: string[]): Map<string, string> {
  const program = typescript.createProgram(paths, options)
  const checker = program.getTypeChecker()
  const texts = new Map<string, string>()
  const visited = new Set<typescript.Type>()
  const add = (name: string, symbol: typescript.Symbol) =>
    texts.set(name, typescript.displayPartsToString(symbol.getDocumentationComment(checker)))
  const isOfPackage = ({ declarations = [], flags }: typescript.Symbol) =>
    !(flags & typescript.SymbolFlags.Prototype) &&
    !declarations.some((declaration) => declaration.getSourceFile().fileName.includes('/node_modules/'))

  function visit(name: string, type: typescript.Type): void {
    if (visited.has(type)) return
    visited.add(type)
    if (type.isUnionOrIntersection()) for (const part of type.types) visit(name, part)
    for (const part of checker.getTypeArguments(type as typescript.TypeReference)) visit(name, part)
    visitCalls(name, type)
    for (const property of type.getProperties().filter(isOfPackage)) {
      add(`${name}.${property.name}`, property)
      visit(`${name}.${property.name}`, checker.getTypeOfSymbol(property))
    }
  }

  function visitCalls(name: string, type: typescript.Type): void {
    for (const signature of type.getCallSignatures()) {
      for (const parameter of signature.getParameters()) visit(`${name}()`, checker.getTypeOfSymbol(parameter))
      visit(`${name}()`, signature.getReturnType())
    }
  }

  for (const path of paths) {
    const file = program.getSourceFile(path)
    const module = file && checker.getSymbolAtLocation(file)
    for (const exported of module ? checker.getExportsOfModule(module) : []) {
      const isAlias = exported.flags & typescript.SymbolFlags.Alias
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported
      add(symbol.name, symbol)
      visit(symbol.name, checker.getDeclaredTypeOfSymbol(symbol))
      // The inside of a JSON schema explains itself with `description`.
      visitCalls(symbol.name, checker.getTypeOfSymbol(symbol))
    }
  }
  return texts
}
