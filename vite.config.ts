import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const empty = new URL('./src/web/app/empty-module.ts', import.meta.url).pathname

type Graph = { getModuleInfo: (id: string) => { importedIds: string[] } | null }

/** Whether a module loads Zod or the form library, which only screens with a form need. */
function needsFormLibraries(id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (/node_modules\/(zod|react-hook-form|@hookform)\//.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  return (graph.getModuleInfo(id)?.importedIds ?? []).some(imported =>
    needsFormLibraries(imported, graph, seen),
  )
}

/**
 * Few output files. The first group that matches a module gets it and everything it imports, so the public pages come
 * first: they must not load code of the other screens. What is left of a page is a file of its own.
 */
const groups = [
  // Imported by the entry file. A separate file, because other files import these modules too and must not load the
  // entry file and its styles, and because the entry file must not wait for React.
  { name: 'preload', test: /vite\/preload-helper|app\/routing\/load-screens/ },
  // Every page, then the home page, then what public pages load later.
  {
    name: 'core',
    test: /src\/web\/(app\/main|ui\/(query-view|near-viewport))\.tsx?|src\/domain\/common\/money\.ts/,
  },
  { name: 'home', test: /src\/web\/pages\/public\/home-page\.tsx/ },
  { name: 'icons', test: /lucide-react\//, minShareCount: 4 },
  {
    name: 'public',
    test: /src\/web\/(api\/api|ui\/(card|empty-state|notice|skeleton|table)|features\/stays\/(saved-stay|today|use-stay-quote))\.tsx?|src\/domain\/[a-z]+\/(booking-rules|content-reviews|phone|plural|quote|season|stay|weekdays)\.ts/,
  },
  {
    name: 'fields',
    test: /src\/web\/(forms\/use-submit|ui\/(form-error|text-field))\.tsx?|src\/domain\/content\/contact-messages\.ts/,
  },
  { name: 'calendar', test: /src\/web\/features\/stays\/(stay-calendar|use-(availability|booking-rules))/ },
  {
    name: 'form-libraries',
    test: /node_modules\/(zod|react-hook-form|@hookform)\/|src\/domain\/content\/contact\.ts/,
  },
  // Every other screen; then what signed-in users load: shared modules without and with schemas.
  { name: 'screen-table', test: /src\/web\/app\/routing\/screen-table/ },
  { name: 'dialogs', test: /src\/web\/ui\/(confirm-)?dialog\.tsx/ },
  {
    name: 'screens',
    test: /src\/web\/(app\/(routing\/screens|shell\/(signed-in|member-header|footer-line))|ui\/(choice-fields|toast-region))\.tsx/,
  },
  { name: 'account', test: /src\/web\/pages\/account\//, minShareCount: 2 },
  {
    name: (id: string, graph: Graph) => (needsFormLibraries(id, graph) ? null : 'app'),
    test: /src\/(domain|web\/(api|app|features|forms|pages\/tenant|routing|session|ui))\//,
    minShareCount: 2,
  },
  { name: 'forms', test: /src\/(domain|web\/(features|forms|pages\/account))\//, minShareCount: 2 },
  { name: 'site', test: /src\/web\/pages\/admin\/site\//, minShareCount: 2 },
  { name: 'owner', test: /src\/web\/pages\/admin\//, minShareCount: 2 },
]

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwindcss()],
  publicDir: 'src/web/public',
  resolve: {
    alias: {
      // jsPDF's optional HTML renderers are never used; they would add 200 KB.
      html2canvas: empty,
      canvg: empty,
      dompurify: empty,
      // React includes it since version 18.
      'use-sync-external-store/shim/index.js': 'react',
    },
  },
  build: isSsrBuild
    ? {
        outDir: 'dist/server',
        copyPublicDir: false,
        target: 'node24',
        rollupOptions: {
          input: {
            server: 'server.ts',
            cli: 'src/server/cli.ts',
            'pdf-worker': 'src/server/workers/pdf/pdf-worker.ts',
            'markdown-worker': 'src/server/workers/markdown/markdown-worker.ts',
            'calendar-worker': 'src/server/workers/ical/calendar-worker.ts',
            'picture-worker': 'src/server/workers/pictures/picture-worker.ts',
            'entry-server': 'src/web/app/entry-server.tsx',
          },
        },
      }
    : {
        outDir: 'dist/client',
        manifest: true,
        target: 'es2022',
        sourcemap: false,
        modulePreload: { polyfill: false },
        rollupOptions: {
          treeshake: {
            moduleSideEffects: [{ test: /node_modules\/@trpc\//, sideEffects: false }],
            // Libraries keep tables of codes alive by reading them without use.
            propertyReadSideEffects: false,
          },
          output: {
            codeSplitting: {
              groups: groups.map((group, index) => ({ ...group, priority: groups.length - index })),
            },
          },
        },
      },
  ...(isSsrBuild && {
    ssr: {
      noExternal: true as const,
      // The passkey library breaks when bundled, because its metadata polyfill would load too late.
      external: [
        'better-sqlite3',
        '@node-rs/argon2',
        'vite',
        '@fastify/middie',
        'sharp',
        '@simplewebauthn/server',
      ],
    },
  }),
}))
