import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const empty = new URL('./src/web/app/empty-module.ts', import.meta.url).pathname

/**
 * Few files, each of what is needed together. From the ground up: the first group that matches a module takes it and all
 * that it imports, so a group must not match what builds on a later one.
 */
const groups = [
  // In a file of its own: else every page would depend on the first file, and ask for its styles again.
  { name: 'preload', test: /vite\/preload-helper/ },
  // What every page loads, then what the home page loads.
  { name: 'core', test: /src\/web\/(app\/main|ui\/query-view)\.tsx|src\/domain\/money\.ts/ },
  { name: 'home', test: /src\/web\/pages\/public\/home-page\.tsx/ },
  // What every other screen loads.
  {
    name: 'screens',
    test: /src\/web\/(app\/routing\/screens|ui\/(badge|card|form-error|notice|page|toast-region|skeleton|text-field|on-demand))\.tsx|src\/web\/(ui\/return-focus|forms\/failure-toast)|src\/domain\/(money|phone|plural|stay)\.ts/,
  },
  // What most screens of signed-in people load.
  {
    name: 'member',
    test: /src\/web\/(app\/shell\/(signed-in|member-header|footer-line)|features\/(applications\/status-badge|stays\/moment-age)|forms\/tab-storage|routing\/back-link|features\/stays\/today|api\/request-id|ui\/both-queries|ui\/(choice-fields|definition-list|progress-bar|stat-card|table))\.tsx?|src\/domain\/(application|charge|errors|ledger|next-step|payment|payment-plan-kinds)\.ts|lucide-react\/dist\/esm\/icons\/(arrow-down|arrow-left|arrow-right|arrow-up|calendar-days|check|chevron-left|chevron-right|chevrons-up-down|circle-x|copy|credit-card|download|external-link|file-text|key-round|pen-line|pencil|plus|receipt-text|refresh-cw|trash|upload)\.mjs/,
  },
  { name: 'dialogs', test: /src\/web\/ui\/(dialog|confirm-dialog)\./ },
  { name: 'forms', test: /node_modules\/react-hook-form|src\/web\/forms\/(use-submit|zod-form)/ },
  {
    name: 'account',
    test: /src\/web\/pages\/account\/(account-card|account-form|text-link)\.tsx/,
  },
  { name: 'calendar', test: /src\/web\/ui\/calendar/ },
  { name: 'zod', test: /node_modules\/zod\// },
  { name: 'quotes', test: /src\/domain\/(booking-rules|lease-terms|quote)\.ts/ },
  {
    name: 'payments',
    test: /src\/web\/features\/payments\/(payment-table|plan-table|balance-summary|charge-list|payment-totals|recent-payments)\.tsx|src\/web\/ui\/disclosure\.tsx|src\/domain\/payment-plan-messages\.ts/,
  },
  {
    name: 'leases',
    test: /src\/web\/(features\/(leases\/(signed-file-box|upload-box|use-open-signed-lease|lease-files)|applications\/(personal-info|guests-list))|ui\/file-picker)\.tsx?|src\/domain\/(lease|lease-layout|printable|lease-terms)\.ts/,
  },
  {
    name: 'people',
    test: /src\/web\/features\/applications\/(guest-fields|person-fields)\.tsx|src\/domain\/us-states\.ts/,
  },
]

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwindcss()],
  publicDir: 'src/web/public',
  resolve: {
    alias: {
      // jsPDF's optional HTML renderers are never used: they would add 200 KB.
      html2canvas: empty,
      canvg: empty,
      dompurify: empty,
      // React has it itself since version 18.
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
          treeshake: { moduleSideEffects: [{ test: /node_modules\/@trpc\//, sideEffects: false }] },
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
      // The passkey library breaks in a bundle, where its polyfill of metadata comes too late.
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
