import { expect, test } from 'vitest'
import { createAuthenticator } from '../../../testing/authenticator.ts'
import { testApp, visitor } from '../../../testing/test-app.ts'

test.each([-8, -7, -257] as const)(
  'adds a passkey of algorithm %i and logs in by it [SAFE-12] [SAFE-13]',
  async algorithm => {
    const app = await testApp()
    const { actor, user } = await app.makeUser({ role: 'admin' })
    const device = createAuthenticator({ algorithm })
    const { options } = await app.as(actor).factors.passkeyOptions()
    const { factor } = await app
      .as(actor)
      .factors.addPasskey({ name: 'Key ring', credential: device.make(options) })
    expect(factor).toMatchObject({ kind: 'passkey', label: 'Key ring', lastUsedAt: null })
    const { options: login } = await app.as(visitor).factors.passkeyLoginOptions()
    const answer = await app.as(visitor).factors.passkeyLogin({ credential: device.use(login) })
    expect(answer.user.id).toBe(user.id)
  },
)
