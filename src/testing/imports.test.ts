import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../db/project-root.ts'

/** A file of the project that imports something: a project path without extension, or a package's name. */
type Import = { from: string; to: string; typeOnly: boolean }
type Rule = { name: string; from: RegExp; allowed: RegExp[]; except?: RegExp }

const nodeModules = /^node:/
const features = 'accounts|applications|leases|payments|rates|availability|contact|site|notices'

/** The house's import rules; the first that matches a file counts. */
const rules: Rule[] = [
  {
    name: 'domain knows only zod and domain',
    from: /^src\/domain\//,
    allowed: [/^zod$/, /^src\/domain\//],
  },
  {
    name: 'db knows only drizzle, its driver and domain',
    from: /^db\//,
    allowed: [/^drizzle-orm/, /^better-sqlite3$/, /^db\//, /^src\/domain\//, nodeModules],
  },
  {
    name: 'a router knows its own feature, domain and trpc',
    from: new RegExp(`^src/server/(${features})/router\\.tsx?$`),
    allowed: [/^zod$/, /^src\/domain\//, /^src\/server\/trpc\./, /^src\/server\/SAME\//],
  },
  {
    name: 'services never know fastify, tRPC or http',
    from: new RegExp(`^src/server/(${features}|mail|files|demo)/`),
    allowed: [/^(?!fastify|@fastify|@trpc)[^/]/],
    except: /^src\/(server\/(http|trpc|root-router)|web\/)/,
  },
  {
    name: 'sandbox knows itself, domain and packages',
    from: /^src\/sandbox\//,
    allowed: [/^src\/(sandbox|domain)\//, /^(?!src\/|db\/|fastify|@fastify|@trpc)[^/]/],
  },
  {
    name: 'the two mounts know everything in server, and the sandbox',
    from: /^src\/server\/http\/(sandbox|mailbox)\.ts$/,
    allowed: [/^src\/(server|domain|sandbox)\//, /^(?!src\/|db\/)[^/]/],
  },
  {
    name: 'web/ui knows only UI libraries',
    from: /^src\/web\/ui\//,
    allowed: [
      /^src\/web\/ui\//,
      /^(react|react-dom|radix-ui|lucide-react|react-hot-toast|react-day-picker|signature_pad)(\/|$)/,
    ],
  },
  { name: 'web/content knows only itself', from: /^src\/web\/content\//, allowed: [/^src\/web\/content\//] },
  {
    name: 'web/features know features, ui, content, domain and the app’s paths, api, session',
    from: /^src\/web\/features\//,
    allowed: [
      /^src\/web\/(features|ui|content)\//,
      /^src\/domain\//,
      /^src\/web\/app\/(paths|apply-path|api|session|site|token)\./,
      /^(?!src\/|db\/)[^/]/,
    ],
  },
  {
    name: 'a page group knows no other page group',
    from: /^src\/web\/pages\//,
    allowed: [
      /^src\/web\/(features|ui|content)\//,
      /^src\/web\/pages\/SAME\//,
      /^src\/domain\//,
      /^src\/web\/app\/(paths|apply-path|api|session|site|token)\./,
      /^(?!src\/|db\/)[^/]/,
    ],
  },
  {
    name: 'web/app knows everything in web',
    from: /^src\/web\/app\//,
    allowed: [/^src\/(web|domain)\//, /^(?!src\/|db\/)[^/]/],
  },
  {
    name: 'http knows everything in server',
    from: /^src\/server\//,
    allowed: [/^src\/(server|domain)\//, /^db\//, /^package\.json$/, /^(?!src\/)[^/]/],
  },
]

/** Types alone that cross the rules: what the browser calls, and what the mailbox shows. */
const allowedTypes: Record<string, string> = {
  'src/web/app/api.ts': 'src/server/root-router.ts',
  'src/sandbox/mailbox/store.ts': 'src/server/mail/transport.ts',
}

const sources = listSources()

test('every import obeys the house rules', () => {
  const broken = sources.flatMap(importsOf).flatMap(found => {
    const rule = rules.find(({ from }) => from.test(found.from))
    if (!rule || isAllowedType(found)) return []
    const group = /^src\/(?:server|web\/pages)\/([^/]+)\//.exec(found.from)?.[1] ?? ''
    const allowed = rule.allowed.some(pattern =>
      new RegExp(pattern.source.replace('SAME', group)).test(found.to),
    )
    return allowed && !rule.except?.test(found.to) ? [] : [`${found.from} imports ${found.to}: ${rule.name}`]
  })
  expect(broken).toEqual([])
})

test('no files import each other in a circle', () => {
  const known = new Set(sources)
  const arrows = Map.groupBy(
    sources.flatMap(importsOf).filter(({ to }) => known.has(to)),
    ({ from }) => from,
  )
  expect([...arrows.values()].flat().length).toBeGreaterThan(1000)
  expect(circlesIn(path => arrows.get(path)?.map(({ to }) => to) ?? [])).toEqual([])
})

test('only http knows fastify', () => {
  const knowing = sources.flatMap(importsOf).filter(({ to }) => /^@?fastify/.test(to))
  expect(knowing.filter(({ from }) => !from.startsWith('src/server/http/'))).toEqual([])
  expect(knowing.length).toBeGreaterThan(0)
})

test('only the demo and the two mounts know the sandbox', () => {
  const knowing = sources.flatMap(importsOf).filter(({ to }) => to.startsWith('src/sandbox/'))
  const allowed = /^src\/(sandbox\/|server\/demo\/|server\/http\/(sandbox|mailbox)\.ts$)/
  expect(knowing.filter(({ from }) => !allowed.test(from))).toEqual([])
  expect(knowing.length).toBeGreaterThan(0)
})

test('nothing imports server.ts', () => {
  expect(sources.flatMap(importsOf).filter(({ to }) => to === 'server.ts')).toEqual([])
})

test('the rules see through the ways to import', () => {
  const parsed = parseImports(
    `import a from './a.ts'\nimport type { B } from "../b.ts"\nexport { c } from './c.ts'\nconst d = await import('./d.ts')\nimport './e.css'\nimport {\n  f,\n} from 'f'`,
  )
  expect(parsed.map(({ specifier }) => specifier)).toEqual([
    './a.ts',
    '../b.ts',
    './c.ts',
    './d.ts',
    './e.css',
    'f',
  ])
})

/** Each circle as the files along it: a walk that meets a file which it came through. */
function circlesIn(targetsOf: (path: string) => string[]): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  const walk = (path: string, way: string[]) => {
    const at = way.indexOf(path)
    if (at >= 0) return void circles.push([...way.slice(at), path])
    if (done.has(path)) return
    for (const target of targetsOf(path)) walk(target, [...way, path])
    done.add(path)
  }
  for (const path of sources) walk(path, [])
  return circles
}

function isAllowedType({ from, to, typeOnly }: Import): boolean {
  return typeOnly && allowedTypes[from] === to
}

function listSources(): string[] {
  const found = ['src', 'db'].flatMap(folder =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map(path =>
      join(folder, path),
    ),
  )
  return found.filter(
    path => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.startsWith('src/testing/'),
  )
}

function importsOf(from: string): Import[] {
  return parseImports(readFileSync(join(projectRoot, from), 'utf8')).map(({ specifier, typeOnly }) => ({
    from,
    typeOnly,
    to: specifier.startsWith('.')
      ? relative(projectRoot, resolve(projectRoot, dirname(from), specifier))
      : specifier,
  }))
}

function parseImports(text: string): { specifier: string; typeOnly: boolean }[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
  return [...text.matchAll(pattern)].map(match => ({
    specifier: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
  }))
}
