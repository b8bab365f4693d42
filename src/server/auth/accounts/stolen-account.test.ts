import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '../../../../db/schema.ts'
import { call, logInAs } from '../../../testing/build-account.ts'
import { changeEmail, emailTokens } from '../../../testing/build-email-change.ts'
import { buildEntry, invitationTokens } from '../../../testing/build-entry.ts'
import { enableTwoStep, mailsOf, plainHash, plainPassword } from '../../../testing/build-factor.ts'
import { quickPasswords, testApp, visitor } from '../../../testing/test-app.ts'

test('an account that needs a new password does not count as a new guest: it cannot be invited, nor its email corrected [SAFE-09, SAFE-28]', async () => {
  const app = await testApp()
  const [former, later, thief] = ['maya@guest.example', 'maya@new.example', 'thief@elsewhere.example']
  const maya = await app.makeTenant({ email: former, passwordHash: plainHash })
  await enableTwoStep(app, maya)
  const { manualBookings: entry } = app.as(await app.makeAdmin())
  const { application } = await entry.create(buildEntry({ email: former }))
  await changeEmail(app, maya, later)
  await app.as(visitor).emailChange.undo({ token: emailTokens(app, 'email-undo', former)[0] ?? '' })

  const refused = { message: expect.stringContaining('password') }
  await expect(entry.invite({ applicationId: application.id, email: thief })).rejects.toMatchObject(refused)
  await expect(entry.invite({ applicationId: application.id })).rejects.toMatchObject(refused)
  await entry.create(buildEntry({ email: former, startDate: '2028-01-01', endDate: '2028-02-01' }))
  for (const to of [former, thief]) expect(invitationTokens(app, to)).toEqual([])
  expect(mailsOf(app, 'booking-entered')).toHaveLength(2)
  expect(app.deps.db.select().from(users).where(eq(users.id, maya.userId)).get()?.email).toBe(former)
  expect((await logInAs(app, former, plainPassword)).status).toBe(401)
})

test('a password change fails without a step-up when a factor is added during the change [SAFE-16]', async () => {
  let meanwhile: (() => Promise<unknown>) | undefined
  const app = await testApp({
    replace: {
      passwords: {
        ...quickPasswords,
        hash: async text => {
          const work = meanwhile
          meanwhile = undefined
          await work?.()
          return quickPasswords.hash(text)
        },
      },
    },
  })
  const email = 'owner@condo.example'
  const owner = await app.makeAdmin({ email, passwordHash: plainHash })
  const { token } = (await logInAs(app, email, plainPassword)).body
  meanwhile = () => enableTwoStep(app, owner)
  const body = {
    currentPassword: plainPassword,
    newPassword: 'Thieves.and.dunes.9',
    confirmPassword: 'Thieves.and.dunes.9',
  }
  expect(await call(app, 'POST', '/api/auth/admin/change-password', { token, body })).toMatchObject({
    status: 403,
    body: { stepUp: expect.arrayContaining(['totp']) },
  })
  expect(app.deps.db.select().from(users).get()?.passwordHash).toBe(plainHash)
})
