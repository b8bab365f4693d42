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
  { name: 'core', test: /node_modules\/(react|react-dom|scheduler|wouter)\// },
  // What the public pages load, too.
  {
    name: 'session',
    test: /src\/web\/(session\/session-provider|api\/(token|failures|query-client|site|page-content)\.|routing\/(paths|open-settings)|ui\/(button|query-view|hydration-boundary|icon-button|mobile-menu|toast-view)\.)/,
  },
  { name: 'icons', test: /lucide-react/, minShareCount: 3 },
  { name: 'api', test: /node_modules\/@trpc\/|src\/web\/api\/api-provider/ },
  {
    name: 'ui',
    test: /src\/web\/ui\/(badge|card|definition-list|empty-state|notice|page|skeleton|stat-card)\.|src\/web\/forms\/failure-toast/,
  },
  { name: 'overlays', test: /src\/web\/ui\/(dialog|confirm-dialog)\./ },
  { name: 'menus', test: /src\/web\/ui\/(menu|tooltip|tabs)\./ },
  { name: 'fields', test: /src\/web\/ui\/(text-field|choice-fields|form-error)\./ },
  { name: 'forms', test: /node_modules\/react-hook-form|src\/web\/forms\/(use-submit|zod-form)/ },
  { name: 'calendar', test: /src\/web\/ui\/calendar/ },
  { name: 'zod', test: /node_modules\/zod\// },
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
