import { expect, test } from 'vitest'
import {
  adminPassword,
  call,
  isSessionValid,
  logInAs,
  signUp,
  signUpAdmin,
  tenantPassword,
} from '../../../testing/build-account.ts'
import { testApp } from '../../../testing/test-app.ts'

test('a password change ends all other sessions and keeps this one [PWD-07, PWD-17, PWD-20]', async () => {
  const app = await testApp()
  const { token, email } = await signUp(app)
  const elsewhere = (await logInAs(app, email, tenantPassword)).body.token
  const stranger = await signUp(app, { email: 'stranger@guest.example' })
  const body = { currentPassword: tenantPassword, newPassword: 'another tide' }
  expect(await call(app, 'PUT', '/api/auth/change-password', { token, body })).toMatchObject({
    status: 200,
    body: { message: 'Password changed successfully' },
  })
  expect(await isSessionValid(app, token)).toBe(true)
  expect(await isSessionValid(app, elsewhere)).toBe(false)
  expect(await isSessionValid(app, stranger.token)).toBe(true)
  expect((await logInAs(app, email, tenantPassword)).status).toBe(401)
  expect((await logInAs(app, email, 'another tide')).status).toBe(200)
})

test('a rejected password change gives the reason and ends no session [PWD-04]', async () => {
  const app = await testApp()
  const { token, email } = await signUp(app)
  const elsewhere = (await logInAs(app, email, tenantPassword)).body.token
  const post = (form: object) =>
    call(app, 'POST', '/api/auth/change-password', {
      token,
      body: {
        currentPassword: tenantPassword,
        newPassword: 'another tide',
        confirmPassword: 'another tide',
        ...form,
      },
    })
  for (const [form, error] of [
    [{ currentPassword: 'wrong one' }, 'Current password is incorrect'],
    [{ newPassword: 'seven77', confirmPassword: 'seven77' }, 'Must be at least 8 characters long'],
    [{ confirmPassword: 'another type' }, 'New passwords do not match'],
    [{ confirmPassword: '' }, 'Please confirm your password'],
    [{ currentPassword: '' }, 'Current password is required'],
  ] as const) {
    expect(await post(form)).toMatchObject({ status: 400, body: { error } })
  }
  expect(await isSessionValid(app, elsewhere)).toBe(true)
  expect((await post({})).status).toBe(200)
})

test('of two simultaneous password changes exactly one succeeds, and its password works', async () => {
  const app = await testApp()
  const { token, email } = await signUp(app)
  const change = (newPassword: string) =>
    call(app, 'PUT', '/api/auth/change-password', {
      token,
      body: { currentPassword: tenantPassword, newPassword },
    })
  const answers = await Promise.all([change('first new one'), change('second new one')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  const winner = answers[0]?.status === 200 ? 'first new one' : 'second new one'
  expect((await logInAs(app, email, winner)).status).toBe(200)
})

test("enforces the admin's password rules on every path [PWD-12, PWD-13, PWD-14]", async () => {
  const app = await testApp()
  const { token, email } = await signUpAdmin(app)
  const weak =
    'New password must be at least 8 characters with uppercase, lowercase, numbers, and special characters'
  const same = 'New password must be different from current password'
  for (const path of ['/api/auth/admin/change-password', '/api/auth/change-password']) {
    for (const [newPassword, error] of [
      ['weak but long', weak],
      [adminPassword, same],
    ] as const) {
      const body = { currentPassword: adminPassword, newPassword, confirmPassword: newPassword }
      expect(await call(app, 'POST', path, { token, body })).toMatchObject({
        status: 400,
        body: { error, fields: { newPassword: error } },
      })
    }
  }
  const body = {
    currentPassword: adminPassword,
    newPassword: 'Dune.grass.7',
    confirmPassword: 'Dune.grass.7',
  }
  const post = (by: string | undefined, form: object) =>
    call(app, 'POST', '/api/auth/admin/change-password', { token: by, body: form })
  expect((await post(token, { ...body, currentPassword: 'wrong' })).body.error).toBe(
    'Current password is incorrect',
  )
  expect((await post(token, { newPassword: 'Dune.grass.7' })).body.error).toBe('All fields are required')
  expect(await post(token, body)).toMatchObject({
    status: 200,
    body: { message: 'Password changed successfully' },
  })
  expect((await logInAs(app, email, 'Dune.grass.7')).body.user.role).toBe('admin')
})
