import { pino } from 'pino'
import { ensureFirstAdmin } from './src/server/accounts/admins.ts'
import { assemble } from './src/server/assemble.ts'
import { ConfigFault, readConfig } from './src/server/config.ts'
import { buildApp } from './src/server/http/app.ts'
import { mountStatic } from './src/server/http/static.ts'

const shutdownMs = 10_000

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = pino({ level: config.logLevel })
  const { deps, close } = await assemble(config, { log })
  const aboutAdmin = await ensureFirstAdmin(deps)
  const app = await buildApp(deps)
  await mountStatic(app)
  await app.listen({ host: config.host, port: config.port })
  console.log(`The site is up: ${config.origin}`)
  if (aboutAdmin) console.log(aboutAdmin)

  const stop = async () => {
    const giveUp = setTimeout(() => process.exit(1), shutdownMs).unref()
    await app.close()
    close()
    clearTimeout(giveUp)
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

main().catch(error => {
  if (error instanceof ConfigFault) console.error(error.message)
  else console.error(error)
  process.exit(1)
})
