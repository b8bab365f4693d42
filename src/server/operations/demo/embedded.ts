import { dirname, join } from 'node:path'

import { openMailbox } from '../../../sandbox/mailbox/store.ts'
import { createSandboxProvider, type SandboxProviderOptions } from '../../../sandbox/provider/provider.ts'
import { type Config, selfOrigin } from '../../kernel/config.ts'
import { createClock } from '../../kernel/deps.ts'
import type { PaymentProvider } from '../../kernel/payment-provider.ts'

/** The demo's fake card provider and mail server, in files next to the database; none in production. */
export function openEmbedded(config: Config, payments: PaymentProvider | undefined) {
  if (config.mode === 'production') return {}
  const { now } = createClock(config)
  return {
    ...(config.mailbox && { mailbox: openMailbox(beside(config, 'demo-mailbox.sqlite'), now) }),
    ...(payments && {
      provider: openProvider(config, { webhookSecret: payments.webhookSecret, now }),
    }),
  }
}

/** Opens the demo's card provider from its file; undefined if another provider is set up. */
export function openProvider(
  config: Config,
  options: Pick<SandboxProviderOptions, 'webhookSecret' | 'now' | 'fetch'>,
) {
  if (!config.sandbox) return undefined
  return createSandboxProvider({
    ...options,
    file: beside(config, 'demo-provider.sqlite'),
    publicOrigin: config.origin,
    webhookUrl: () => `${selfOrigin(config)}/api/payment/webhook`,
    merchantName: config.site.companyName,
  })
}

const beside = ({ databaseFile }: Config, name: string): string =>
  databaseFile === ':memory:' ? ':memory:' : join(dirname(databaseFile), name)
