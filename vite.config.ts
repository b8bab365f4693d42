import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const empty = new URL('./src/web/app/empty-module.ts', import.meta.url).pathname

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
              groups: [
                // In a file of its own: else every page would depend on the first file, and ask for its styles again.
                { name: 'preload', test: 'vite/preload-helper' },
                // Every screen needs all of them.
                {
                  name: 'session',
                  test: /src\/web\/(session\/session|api\/token|routing\/paths|ui\/(button|class-names|query-view))\.tsx?$|lucide-react\/dist\/esm\/createLucideIcon/,
                },
              ],
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
