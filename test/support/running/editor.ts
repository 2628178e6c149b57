/** The messages and hovers of an editor: TypeScript's language service on code in memory. */
import { join, resolve } from 'node:path'
import typescript from 'typescript'

const { options } = typescript.parseJsonConfigFileContent(
  typescript.readConfigFile('tsconfig.json', typescript.sys.readFile).config,
  typescript.sys,
  '.'
)

/** The declaration of a host's tokens, which a test can replace. */
const jwt = `
import '@fastify/jwt'
declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: { sub: string; role: string }
  }
}`

/** All editors share the parsed declarations of packages and of `src`. */
const registry = typescript.createDocumentRegistry()

/**
 * @param files code by file name, as if the files were in the folder `test`
 * @param changes to the compiler options
 */
export function openEditor(files: Record<string, string>, changes: typescript.CompilerOptions = {}) {
  const pathOf = (name: string) => resolve('test', `${name}.ts`)
  const texts = new Map(Object.entries({ jwt, ...files }).map(([name, text]) => [pathOf(name), text]))
  const host: typescript.LanguageServiceHost = {
    ...typescript.sys,
    useCaseSensitiveFileNames: () => typescript.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => ({ ...options, ...changes }),
    getScriptFileNames: () => [...texts.keys()],
    // The registry caches a file by its path and its version.
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
    /** The compiler's messages about a file, each with its explanation. */
    errors: (name: string) =>
      [...service.getSyntacticDiagnostics(pathOf(name)), ...service.getSemanticDiagnostics(pathOf(name))].map(
        ({ messageText }) => typescript.flattenDiagnosticMessageText(messageText, '\n')
      ),
    /** The hover of a property of the last object that has the property. */
    hover(name: string, property: string) {
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

/** The hovers of the exports of these files, and of the properties of these exports. */
export function hoverTexts(...paths: string[]): Map<string, string> {
  const program = typescript.createProgram(paths, options)
  const checker = program.getTypeChecker()
  const texts = new Map<string, string>()
  const visited = new Set<typescript.Type | typescript.Symbol>()
  const add = (name: string, symbol: typescript.Symbol) =>
    texts.set(name, typescript.displayPartsToString(symbol.getDocumentationComment(checker)))
  const isOfPackage = ({ declarations = [], flags }: typescript.Symbol) =>
    !(flags & typescript.SymbolFlags.Prototype) &&
    !declarations.some((declaration) => declaration.getSourceFile().fileName.includes('/node_modules/'))

  const isOfTypeBox = ({ declarations = [] }: typescript.Symbol) =>
    declarations.some((declaration) => declaration.getSourceFile().fileName.includes('/typebox/'))

  function visit(name: string, type: typescript.Type): void {
    // A method of an interface can return the interface with other type arguments, without an end.
    const { symbol } = type
    const isInterface = symbol && symbol.flags & typescript.SymbolFlags.Interface
    // A JSON schema has its own `description`.
    if ((isInterface && isOfTypeBox(symbol)) || type.aliasSymbol?.name === 'ObjectSchema') return
    const key = isInterface && isOfPackage(symbol) ? symbol : type
    if (visited.has(key)) return
    visited.add(key)
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
      visitCalls(symbol.name, checker.getTypeOfSymbol(symbol))
    }
  }
  return texts
}
