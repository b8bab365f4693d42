import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const empty = new URL('./src/web/app/empty-module.ts', import.meta.url).pathname

/**
 * Few output files, each with modules that are needed together. The first group that matches a module gets it and
 * everything it imports, so a group must not match modules that import from a later group.
 */
const groups = [
  // Imported by the entry file. A separate file, because other files import these modules too and must not load the
  // entry file and its styles, and because the entry file must not wait for React.
  { name: 'preload', test: /vite\/preload-helper|app\/routing\/load-screens/ },
  // Modules of every page, then those of the home page.
  { name: 'core', test: /src\/web\/(app\/main|ui\/(query-view|near-viewport))\.tsx?|src\/domain\/money\.ts/ },
  { name: 'home', test: /src\/web\/pages\/public\/home-page\.tsx/ },
  // Modules of every other screen.
  {
    name: 'screens',
    test: /src\/web\/(app\/routing\/screens|ui\/(badge|card|form-error|notice|page|toast-region|skeleton|on-demand))\.tsx?|src\/web\/(ui\/return-focus|forms\/failure-toast|api\/api|features\/stays\/saved-stay)|src\/domain\/(money|phone|plural|stay|weekdays)\.ts/,
  },
  // Modules of nearly every screen of signed-in users.
  {
    name: 'member',
    test: /src\/web\/(app\/shell\/(signed-in|member-header|footer-line)|forms\/tab-storage|routing\/back-link|features\/(stays\/today|payments\/dollar-amount)|api\/request-id|ui\/combine-queries)\.tsx?|src\/domain\/(people|ledger|payment-labels)\.ts|lucide-react\/dist\/esm\/icons\/(arrow-left|arrow-right|check|chevron-down|chevron-left|chevron-right|copy|eye|plus|trash)\.mjs/,
  },
  { name: 'choices', test: /src\/web\/ui\/(choice-fields|text-field)|src\/domain\/payment\.ts/ },
  { name: 'dialogs', test: /src\/web\/ui\/(dialog|confirm-dialog)\./ },
  { name: 'forms', test: /src\/web\/forms\/(use-submit|zod-form)\.ts/ },
  {
    name: 'account',
    test: /src\/web\/pages\/account\/(account-card|account-form|text-link)\.tsx/,
  },
  {
    name: 'calendar',
    test: /src\/web\/(ui\/calendar|features\/stays\/(stay-calendar|use-availability|use-booking-rules))/,
  },
  { name: 'zod', test: /node_modules\/zod\// },
  // Tables, files and summaries of applications and leases.
  {
    name: 'records',
    test: /src\/web\/(ui\/(definition-list|progress-bar|table)|api\/files|features\/(applications\/status-badge|leases\/(lease-state-badge|lease-facts|lease-files|use-open-signed-lease))|pages\/admin\/plan-labels)\.tsx?|src\/domain\/(application-status|charge|lease|next-step)\.ts|lucide-react\/dist\/esm\/icons\/(arrow-down|arrow-up|calendar-days|chevrons-up-down|credit-card|download|external-link|file-text|key-round|pen-line|pencil|receipt-text|refresh-cw|upload)\.mjs/,
  },
  {
    name: 'payments',
    test: /src\/web\/features\/payments\/(payment-cells|plan-table)\.tsx|src\/domain\/payment-plan-kinds\.ts/,
  },
  { name: 'recent-payments', test: /src\/web\/(ui\/disclosure|features\/payments\/recent-payments)\.tsx/ },
  {
    name: 'paying',
    test: /src\/web\/pages\/tenant\/(pay-target|last-paid-application)\.ts|src\/domain\/payment-plan-messages\.ts/,
  },
  // Parts of the screens that show one application.
  {
    name: 'application',
    test: /src\/web\/features\/(payments\/(balance-summary|charge-list)|applications\/(personal-info|guests-list))\.tsx/,
  },
  {
    name: 'people',
    test: /src\/web\/features\/applications\/(guest-fields|person-fields)\.tsx|src\/domain\/(application|us-states)\.ts/,
  },
  // Shared by the owner's screens.
  {
    name: 'owner',
    test: /src\/web\/(pages\/admin\/(setup\/setup-card|site\/sections\/section-labels|calendars\/busy-button|setup\/bookings-elsewhere-card)|ui\/form-row|forms\/confirm-on-demand)\.tsx?|src\/domain\/calendar-messages\.ts/,
  },
  // The owner's editor of the site.
  {
    name: 'editor',
    test: /src\/web\/pages\/admin\/site\/(browser-copy|change-text)\.tsx?|src\/domain\/content-(draft|label)\.ts/,
  },
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
            'pdf-worker': 'src/server/pdf/pdf-worker.ts',
            'markdown-worker': 'src/server/markdown/markdown-worker.ts',
            'calendar-worker': 'src/server/ical/calendar-worker.ts',
            'picture-worker': 'src/server/pictures/picture-worker.ts',
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
