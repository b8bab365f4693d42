import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '../../../../db/schema.ts'
import { requireAdmin } from '../../../domain/accounts/access.ts'
import { adminPassword, signUpAdmin } from '../../../testing/build-account.ts'
import { editorOf, makeEditor } from '../../../testing/build-site.ts'
import { everyRow } from '../../../testing/every-row.ts'
import { type TestApp, testApp, testOrigin } from '../../../testing/test-app.ts'
import { resetAdminPassword } from '../../auth/accounts/admins.ts'
import { currentSite } from '../content/published.ts'
import { createPreviewLink, openPreview } from './preview-link.ts'

const tokenOf = ({ url }: { url: string }) => /^\/\?preview=([\w-]{43})$/.exec(url)?.[1] ?? ''
const newPassword = 'Brand.new.tides.7'

test('a link shows the draft on top of the published content for 30 minutes; viewing changes nothing [SITE-28, SITE-29, SITE-30]', async () => {
  const app = await testApp()
  const { editor, publish, save } = await makeEditor(app)
  await save('rates', { intro: 'published' })
  await publish()
  await save('hero', { headline: '', picture: null })
  await save('identity', { companyName: 'Tern & Tide' })
  const link = await editor.previewLink()
  const expiresAt = new Date(app.deps.clock.now().getTime() + 30 * 60_000).toISOString()
  expect(link).toEqual({ url: expect.any(String), expiresAt })
  const before = everyRow(app)
  const siteContent = openPreview(app.deps, tokenOf(link))
  if (!siteContent) throw new Error('no preview')
  const { content, unreadable, version } = siteContent()
  expect({ unreadable, version }).toEqual({ unreadable: [], version: 1 })
  expect(content.hero).toMatchObject({ headline: '', picture: null })
  expect(content.rates.intro).toBe('published')
  expect(currentSite({ ...app.deps, siteContent }).companyName).toBe('Tern & Tide')
  expect(app.deps.siteContent().content.hero.headline).not.toBe('')
  expect(openPreview(app.deps, 'unknown')).toBeUndefined()
  expect(everyRow(app)).toEqual(before)
  expect(JSON.stringify(before)).not.toContain(tokenOf(link))
  app.advance(30 * 60_000 - 1)
  expect(openPreview(app.deps, tokenOf(link))).toBeDefined()
  app.advance(1)
  expect(openPreview(app.deps, tokenOf(link))).toBeUndefined()
})

test('a draft with another contact, other names, ways to pay or terms is shown by links made with a proof alone [SITE-28, SITE-30, SAFE-16]', async () => {
  const app = await testApp()
  const { actor, editor, save } = await makeEditor(app)
  const bare = { ...requireAdmin(actor), sessionId: undefined }
  await save('hero', { headline: 'Blue water' })
  const early = await createPreviewLink(app.deps, bare)
  expect(openPreview(app.deps, tokenOf(early))).toBeDefined()
  await save('contact', { text: 'Send the rent to another bank.' })
  expect(openPreview(app.deps, tokenOf(early))).toBeUndefined()
  await expect(createPreviewLink(app.deps, bare)).rejects.toMatchObject({ code: 'forbidden' })
  const proven = await editor.previewLink()
  expect(openPreview(app.deps, tokenOf(proven))?.().content.contact.text).toContain('another bank')
})

const ends: [string, (app: TestApp, owner: { id: string; email: string }) => Promise<unknown>][] = [
  [
    'new password',
    (app, { id: userId }) =>
      app.as({ role: 'admin', userId, requestOrigin: testOrigin }).accounts.adminChangePassword({
        currentPassword: adminPassword,
        newPassword,
        confirmPassword: newPassword,
      }),
  ],
  ['password reset', (app, { email }) => resetAdminPassword(app.deps, email, newPassword)],
  [
    'demotion',
    (app, { id }) =>
      app.deps.write(tx => tx.update(users).set({ role: 'tenant' }).where(eq(users.id, id)).run()),
  ],
]
test.each(ends)(
  'a %s revokes the links of that administrator, and of nobody else [SITE-30]',
  async (_, end) => {
    const app = await testApp()
    const { user } = await signUpAdmin(app)
    const link = await editorOf(
      app.as({ role: 'admin', userId: user.id, requestOrigin: testOrigin }),
    ).editor.previewLink()
    const other = await (await makeEditor(app)).editor.previewLink()
    expect(openPreview(app.deps, tokenOf(link))).toBeDefined()
    await end(app, user)
    expect(openPreview(app.deps, tokenOf(link))).toBeUndefined()
    expect(openPreview(app.deps, tokenOf(other))).toBeDefined()
  },
)
