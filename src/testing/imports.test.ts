import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { getTableName } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { projectRoot } from '../../db/project-root.ts'
import * as tables from '../../db/schema.ts'

/** One import: `to` is a project path or a package name. */
type Import = { from: string; to: string; typeOnly: boolean }
type Rule = { name: string; from: RegExp; allowed: RegExp[] }

const nodeModules = /^node:/

/**
 * The modules (folders and single files) from bottom to top; '' stands for all unlisted ones. A module may import only
 * from modules below it, so modules and features have no import cycles.
 */
const layers: Record<string, readonly string[]> = {
  'src/domain/': [
    'common',
    'accounts',
    'content',
    'money',
    'leases',
    'calendars',
    'bookings',
    'arrival',
    'conversations',
  ],
  'src/server/': [
    'lib',
    'workers',
    'kernel',
    'site/content',
    'site/settings',
    'mail',
    'auth',
    'bookings',
    'money',
    'leases',
    'arrival',
    'conversations',
    'reviews',
    'applications',
    'site',
    'setup',
    'operations',
    'mail-sources',
    'create-deps',
    'root-router',
    'procedure-list',
    'http',
    'start-site',
    'cli',
  ],
  'src/server/auth/': ['sessions', 'factors', 'accounts'],
  'src/server/money/': ['', 'payments', 'deposits', 'books'],
  'src/web/': ['ui', 'api', 'routing', 'session', 'forms', 'features', 'pages', 'app'],
  'src/web/features/': [
    'content',
    'factors',
    'stays',
    'security',
    'applications',
    'offers',
    'arrival',
    'conversations',
    'leases',
    'signing',
    'payments',
    'deposits',
    'setup',
  ],
  'src/web/app/': ['routing', 'shell', 'ssr', ''],
}

/** The folder that writes each table; all others only read it. */
const owners: Record<string, string> = {
  users: 'auth/accounts',
  sessions: 'auth/sessions',
  accessLinks: 'auth/sessions',
  linkTokens: 'auth/sessions',
  emailChanges: 'auth/accounts',
  userFactors: 'auth/factors',
  recoveryCodes: 'auth/factors',
  loginChallenges: 'auth/factors',
  sequences: 'applications',
  applications: 'applications',
  leases: 'leases',
  addenda: 'leases',
  signings: 'leases',
  signers: 'leases',
  cancellations: 'applications',
  claims: 'bookings',
  claimTerms: 'bookings',
  charges: 'money',
  paymentPlans: 'money',
  installments: 'money',
  lateFees: 'money',
  files: 'kernel/files',
  events: 'kernel',
  installationFacts: 'kernel',
  payments: 'money/payments',
  refunds: 'money/payments',
  disputes: 'money/payments',
  providerEvents: 'money/payments',
  returnLegs: 'money/payments',
  depositRules: 'money/deposits',
  depositCases: 'money/deposits',
  depositItems: 'money/deposits',
  depositStatements: 'money/deposits',
  depositLetters: 'money/deposits',
  taxRemittances: 'money/books',
  bookClosings: 'money/books',
  evidence: 'bookings',
  outbox: 'mail',
  mailedNotices: 'operations/notices',
  rates: 'bookings',
  availability: 'bookings',
  feeRules: 'money',
  taxRules: 'money',
  propertySettings: 'site/settings',
  sealedSettings: 'kernel/sealed-settings',
  entryRequests: 'applications/manual',
  calendarFeeds: 'bookings/calendars',
  calendarEvents: 'bookings/calendars',
  calendarConflicts: 'bookings/calendars',
  calendarExports: 'bookings/calendars',
  calendarPublished: 'bookings/calendars',
  contentVersions: 'site/editor',
  contentSections: 'site/editor',
  parsedTexts: 'site/content',
  wordings: 'site/wordings',
  arrivalSections: 'arrival',
  lockCodes: 'arrival',
  stayGates: 'arrival',
  stayLinks: 'arrival',
  pictures: 'site/pictures',
  pictureCopies: 'site/pictures',
  messageThreads: 'conversations',
  messages: 'conversations',
  messageFiles: 'conversations',
  reviews: 'reviews',
}
/** Maps a table's SQL name to its name in the schema. */
const tableOf = new Map<string, string>(
  Object.entries(tables).flatMap(([name, table]) =>
    table instanceof SQLiteTable ? [[getTableName(table), name] as const] : [],
  ),
)
/** A separate process next to the site. */
const writesDirectly = [
  'src/server/operations/backup/last-backup.ts',
  // In the database of a backup, before it is in use.
  'src/server/operations/backup/restored.ts',
]
const howToFix = 'see "Who may import whom" in docs/architecture.md'

/**
 * `bookings` writes the columns of an application that several features share: its nights and terms. A change of an
 * account's email also writes the contact email.
 */
const isSharedWrite = (table: string, path: string) =>
  table === 'applications' &&
  (path.startsWith('src/server/bookings/') || path === 'src/server/auth/accounts/email-change/set-email.ts')

/** Rules in addition to the module order. Every rule that matches a file applies. */
const rules: Rule[] = [
  {
    name: 'domain may import only zod and domain',
    from: /^src\/domain\//,
    allowed: [/^zod$/, /^src\/domain\//],
  },
  {
    name: 'db may import only drizzle, its driver and domain',
    from: /^db\//,
    allowed: [/^drizzle-orm/, /^better-sqlite3$/, /^db\//, /^src\/domain\//, nodeModules],
  },
  {
    name: 'a router may import only its own feature, views, domain and trpc',
    from: /^src\/server\/.+\/[a-z-]*router\.ts$/,
    allowed: [
      /^zod$/,
      /^src\/domain\//,
      /^src\/server\/kernel\/trpc\./,
      /^src\/server\/bookings\/views\./,
      /^src\/server\/SAME\//,
    ],
  },
  {
    name: 'only http and procedures may import fastify or tRPC',
    from: /^src\/server\/(?!http\/|kernel\/trpc|[^/]+$)/,
    allowed: [/^(?!fastify|@fastify|@trpc|src\/web\/)[^/]/],
  },
  {
    name: 'the sandbox may import only the domain and itself',
    from: /^src\/sandbox\//,
    allowed: [/^src\/(sandbox|domain)\//, /^(?!src\/|db\/)[^/]/],
  },
  {
    name: 'web/ui may import only UI libraries, and how texts break',
    from: /^src\/web\/ui\//,
    allowed: [
      /^src\/(web\/ui\/|domain\/common\/no-break\.ts)/,
      /^(react|react-dom|radix-ui|lucide-react|signature_pad)(\/|$)/,
    ],
  },
  {
    name: 'a page group may import no other page group',
    from: /^src\/web\/pages\//,
    allowed: [/^src\/web\/(?!pages\/)/, /^src\/web\/pages\/SAME\//, /^src\/domain\//, /^(?!src\/|db\/)[^/]/],
  },
  {
    name: 'web may import only web and domain',
    from: /^src\/web\//,
    allowed: [/^src\/(web|domain)\//, /^(?!src\/|db\/)[^/]/],
  },
]

/** The only type import that may break the rules: the type of the router that the browser calls. */
const allowedTypes: Record<string, string> = {
  'src/web/api/procedures.ts': 'src/server/root-router.ts',
}

const sources = listSources()

test('every import follows the rules', () => {
  const broken = sources.flatMap(importsOf).flatMap(found => {
    if (isAllowedType(found)) return []
    const group = /^src\/(?:server|web\/pages)\/([^/]+)\//.exec(found.from)?.[1] ?? ''
    const isAllowed = (rule: Rule) =>
      rule.allowed.some(pattern => new RegExp(pattern.source.replace('SAME', group)).test(found.to))
    return rules
      .filter(rule => rule.from.test(found.from) && !isAllowed(rule))
      .map(({ name }) => `${arrow(found)}: ${name}`)
  })
  expect(broken, howToFix).toEqual([])
})

test('no module imports from a module above it', () => {
  const imports = sources.flatMap(importsOf).filter(found => !isAllowedType(found))
  const broken = Object.entries(layers).flatMap(([folder, modules]) => {
    const layerOf = (path: string) => modules.indexOf(moduleIn(folder, modules, path))
    const inside = imports.filter(({ from, to }) => from.startsWith(folder) && to.startsWith(folder))
    expect(inside.length).toBeGreaterThan(5)
    const unlisted = inside.flatMap(({ from, to }) => [from, to]).filter(path => layerOf(path) < 0)
    expect(new Set(unlisted), `give their modules a place in layers['${folder}']`).toEqual(new Set())
    return inside
      .filter(({ from, to }) => layerOf(from) < layerOf(to))
      .map(
        found =>
          `${arrow(found)}: ${moduleIn(folder, modules, found.to)} is above ${moduleIn(folder, modules, found.from)}`,
      )
  })
  expect(broken, howToFix).toEqual([])
})

test('every table has an owner', () => {
  const howToAdd = 'name the folder that writes the table in `owners` of this file'
  expect(new Set(Object.keys(owners)), howToAdd).toEqual(new Set(tableOf.values()))
})

test('a feature writes only its own tables', () => {
  const writing = sources
    .filter(path => path.startsWith('src/server/'))
    .flatMap(path => {
      const text = readFileSync(join(projectRoot, path), 'utf8')
      const byDrizzle = [...text.matchAll(/\.(?:insert|update|delete)\((\w+)\)/g)]
      const bySql = [...text.matchAll(/\b(?:insert into|update|delete from) (\w+)/g)]
      return [...byDrizzle, ...bySql].flatMap(([, name = '']) => {
        const table = name in owners ? name : tableOf.get(name)
        return table ? [{ path, table, owner: owners[table] }] : []
      })
    })
  expect(new Set(writing.map(({ table }) => table))).toEqual(new Set(Object.keys(owners)))
  const foreign = writing.filter(
    ({ owner, path, table }) =>
      !new RegExp(`^src/server/${owner}[./]`).test(path) &&
      !isSharedWrite(table, path) &&
      !writesDirectly.includes(path),
  )
  expect(foreign, howToFix).toEqual([])
})

/** The kinds of files in a room that only read; any other file is a command, an adapter or the rules of a subject. */
const readers = /\/(?:queries|views|[a-z-]*router)\.tsx?$/
const nameless = /\/(?:utils?|helpers?|index|misc|common|presenter)\.tsx?$/

test('queries, views and routers write nothing, and every file is named by its subject', () => {
  const isWriting = (path: string) =>
    /\.write(InParts)?\(|\btx\s*\.(insert|update|delete)\(/.test(
      readFileSync(join(projectRoot, path), 'utf8'),
    )
  const found = sources.filter(path => path.startsWith('src/server/') && readers.test(path))
  expect(found.length).toBeGreaterThan(40)
  expect(found.filter(isWriting), howToFix).toEqual([])
  expect(sources.filter(path => nameless.test(path))).toEqual([])
})

test('there are no import cycles', () => {
  const known = new Set(sources)
  const arrows = Map.groupBy(
    sources.flatMap(importsOf).filter(({ to }) => known.has(to)),
    ({ from }) => from,
  )
  expect([...arrows.values()].flat().length).toBeGreaterThan(1000)
  expect(findCycles(path => arrows.get(path)?.map(({ to }) => to) ?? [])).toEqual([])
})

test('only http imports fastify', () => {
  const importers = sources.flatMap(importsOf).filter(({ to }) => /^@?fastify/.test(to))
  expect(importers.filter(({ from }) => !from.startsWith('src/server/http/'))).toEqual([])
  expect(importers.length).toBeGreaterThan(0)
})

test('only the demo and the HTTP mounts of sandbox and mailbox import the sandbox', () => {
  const importers = sources.flatMap(importsOf).filter(({ to }) => to.startsWith('src/sandbox/'))
  const allowed = /^src\/(sandbox\/|server\/operations\/demo\/|server\/http\/(sandbox|mailbox)\.ts$)/
  expect(importers.filter(({ from }) => !allowed.test(from)).map(arrow)).toEqual([])
  expect(importers.length).toBeGreaterThan(0)
})

test('only the picture worker imports sharp, and nothing imports the picture worker', () => {
  const worker = 'src/server/workers/pictures/picture-worker.ts'
  const imports = sources.flatMap(importsOf)
  // A release tries everything that it brings along, before it is in use.
  const selfcheck = 'src/condo/main.ts'
  expect(imports.filter(({ to }) => to === 'sharp').map(({ from }) => from)).toEqual([selfcheck, worker])
  expect(imports.filter(({ to }) => to === worker)).toEqual([])
})

test('pages make ids with newId, because crypto.randomUUID is missing without TLS', () => {
  const pages = sources.filter(path => path.startsWith('src/web/') && !/\.test\.tsx?$/.test(path))
  const makers = pages.filter(path =>
    /crypto\.randomUUID\(/.test(readFileSync(join(projectRoot, path), 'utf8')),
  )
  expect(makers).toEqual([])
  expect(pages.length).toBeGreaterThan(100)
})

test('nothing imports server.ts', () => {
  expect(sources.flatMap(importsOf).filter(({ to }) => to === 'server.ts')).toEqual([])
})

test('the parser finds every form of import', () => {
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

const arrow = ({ from, to }: Import) => `${from} imports ${to}`

/** The listed folder or file inside `folder` that contains the path: the innermost, or ''. */
const moduleIn = (folder: string, modules: readonly string[], path: string): string =>
  modules
    .filter(module => new RegExp(`^${module}[./]`).test(path.slice(folder.length)))
    .toSorted((a, b) => b.length - a.length)[0] ?? ''

/** Finds import cycles, each as the list of its files. */
function findCycles(targetsOf: (path: string) => string[]): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  const walk = (path: string, way: string[]) => {
    const at = way.indexOf(path)
    if (at >= 0) return void cycles.push([...way.slice(at), path])
    if (done.has(path)) return
    for (const target of targetsOf(path)) walk(target, [...way, path])
    done.add(path)
  }
  for (const path of sources) walk(path, [])
  return cycles
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
  return parseImports(readFileSync(join(projectRoot, from), 'utf8')).map(({ specifier, ...how }) => ({
    from,
    ...how,
    to: specifier.startsWith('.')
      ? relative(projectRoot, resolve(projectRoot, dirname(from), specifier))
      : specifier,
  }))
}

function parseImports(text: string): (Pick<Import, 'typeOnly'> & { specifier: string })[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
  return [...text.matchAll(pattern)].map(match => ({
    specifier: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
  }))
}
