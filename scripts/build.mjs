// Builds the browser app and the server. `NODE_ENV` of the shell does not matter: a build is a build.
import { build } from 'vite'

process.env.NODE_ENV = 'production'
await build({ logLevel: 'warn' })
await build({ logLevel: 'warn', build: { ssr: true } })
