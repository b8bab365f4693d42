import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const empty = new URL('./src/web/app/empty-module.ts', import.meta.url).pathname

/** What the two pages of an application need is one file. */
const featureOf = (id: string) =>
  /src\/web\/features\/(?!offers|leases\/addendum|applications\/contact|arrival\/guest)(\w+)/
    .exec(id)?.[1]
    ?.replace(/^(leases|payments)$/, 'applications') ?? null

/**
 * Few output files. The first group that matches a module gets it and everything it imports, so what visitors load comes
 * first. What is left is in its page's file, or in a small file of its own if a few pages share it.
 */
const groups = [
  // The entry file imports these, and must not wait for React.
  { name: 'preload', test: /vite\/preload-helper|app\/routing\/load-screens/ },
  { name: 'main', test: /app\/main\.tsx|pages\/public\/home-page/ },
  // What the contact form needs, and every other screen as well.
  {
    name: 'public',
    test: /web\/api\/(api|client)\.|forms\/use-submit|public\/renders-note|contact-messages|icons\/(mail|phone|pause|play)\.|web\/ui\/(card|notice|skeleton|text-field|form-error)\./,
  },
  { name: 'icons', test: /lucide-react\/(?!.*\/(image-|eraser))/, minShareCount: 2 },
  { name: 'form-libraries', test: /node_modules\/(zod|react-hook-form|@hookform)\// },
  // What a login needs, and every other screen as well.
  {
    name: 'login',
    test: /app\/(routing\/screens|shell\/shell)|ui\/toasts|forms\/account-form|pages\/account\/\w+-(form|link)\./,
  },
  // With a module of many screens that is too small for a file of its own.
  { name: 'signed-in', test: /app\/shell\/|common\/zoned-time/ },
  // The content and its checks are for the owner’s forms alone, offers for few.
  {
    name: 'shared',
    test: /src\/(?!web\/pages\/(admin|guest)|web\/(features\/(deposits|signing|offers|applications\/(person-fields|guest-fields|contact-links)|stays\/estimate-line|leases\/lease-text)|ui\/(file-link|calendar|setup-card)|routing\/link-tabs|forms\/use-rows)|domain\/(leases\/(lease\.|lease-(document|generation|layout|signing)|signing)|bookings\/(claim|evidence|offer)|money\/(deposit|return|remittance|book)-?)|domain\/content\/content(-text)?\.)/,
    minShareCount: 5,
  },
  // In one file, which the site's editor needs as a whole.
  { name: 'owner-forms', test: /pages\/admin\/site\/sections\/(?!picture-)/, minShareCount: 2 },
  { name: 'owner', test: /pages\/admin\/(?!settings)|ui\/setup-card|routing\/link-tabs/, minShareCount: 6 },
  {
    name: 'deposits',
    test: /features\/deposits|pages\/tenant\/application\/deposit-card|domain\/(money\/deposit-(case|input)|bookings\/evidence)/,
  },
  {
    name: 'application-parts',
    test: /pages\/admin\/(price-labels|calendar-override|application\/delete-application-dialog)|payment-plan-state|ui\/menu/,
    minShareCount: 2,
  },
  { name: featureOf, debugName: 'features', minShareCount: 2 },
  {
    name: 'pictures',
    test: /pages\/admin\/site\/sections\/picture-(field|drop|library)|lucide-react\/.*\/image-/,
  },
]

/** The server renders with React's production build in the demo too: the other one takes several times as long. */
const productionReact = {
  name: 'production-react',
  transform: {
    filter: { id: /node_modules\/(react|react-dom|scheduler)\// },
    handler: (code: string) => code.replaceAll('process.env.NODE_ENV', '"production"'),
  },
}

/** No browser describes a schema as JSON Schema, and zod carries 17 KB of it in every schema. */
const withoutJsonSchema = {
  name: 'without-json-schema',
  transform: {
    filter: { id: /node_modules\/zod\/v4\/classic\/schemas\.js/ },
    handler: (code: string) =>
      code
        .replace(/^.*_zod\.processJSONSchema = .*;$/gm, '')
        .replace(/create(Standard|To)JSONSchemaMethod\([^)]*\)/g, 'undefined'),
  },
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwindcss(), isSsrBuild ? productionReact : withoutJsonSchema],
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
            condo: 'src/condo/main.ts',
            worker: 'src/server/workers/worker.ts',
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
            // Every screen loads the list of all files: a shorter hash is enough for a hundred names.
            chunkFileNames: 'assets/[name]-[hash:7].js',
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
