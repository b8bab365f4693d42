// A process of its own that loads the key of a database when it is sent a message, and answers its bytes.

import { loadInstallationKey } from '../server/lib/installation-key.ts'

process.once('message', async () => {
  const loaded = await loadInstallationKey(process.env.DATABASE_FILE ?? '')
  process.send?.(
    loaded.state === 'ready' ? `${loaded.isNew} ${loaded.key.bytes.toString('hex')}` : loaded.state,
  )
  process.disconnect?.()
})
process.send?.('ready')
