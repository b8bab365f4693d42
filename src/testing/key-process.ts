// Separate process that loads the key of a database when it receives a message, and replies with the key's bytes.

import { loadInstallationKey } from '../server/lib/installation-key.ts'

process.once('message', async () => {
  const loaded = await loadInstallationKey(process.env.DATABASE_FILE ?? '')
  process.send?.(
    loaded.state === 'ready' ? `${loaded.isNew} ${loaded.key.bytes.toString('hex')}` : loaded.state,
  )
  process.disconnect?.()
})
process.send?.('ready')
