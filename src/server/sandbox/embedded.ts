import { dirname, join } from 'node:path'
import { type Config, ownAddress } from '../config.ts'
import type { PaymentProvider } from '../payments/provider.ts'
import { openMailbox } from './mailbox/store.ts'
import { createSandboxProvider } from './provider/provider.ts'

export type Embedded = ReturnType<typeof openEmbedded>

/** The demo's stand-ins for card provider and mail server, in files beside the database; in production there are none. */
export function openEmbedded(config: Config, payments: PaymentProvider | undefined) {
  if (config.mode === 'production') return {}
  const beside = (name: string) =>
    config.databaseFile === ':memory:' ? ':memory:' : join(dirname(config.databaseFile), name)
  return {
    ...(config.mailbox && { mailbox: openMailbox(beside('demo-mailbox.sqlite')) }),
    ...(config.sandbox &&
      payments && {
        provider: createSandboxProvider({
          file: beside('demo-provider.sqlite'),
          publicOrigin: config.origin,
          webhookUrl: () => `${ownAddress(config)}/api/payment/webhook`,
          webhookSecret: payments.webhookSecret,
          now: () => new Date(),
          merchantName: config.site.companyName,
        }),
      }),
  }
}
