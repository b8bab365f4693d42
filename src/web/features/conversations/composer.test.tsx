// @vitest-environment dom
import { screen, waitFor } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { makePending } from '../../../testing/build-application.ts'
import { appOfFile, fill, noAnswer, onCall, openScreen, press, says } from '../../../testing/component.tsx'

const site = appOfFile()
let owner: SignedIn
let tenant: SignedIn
let [first, second] = ['', '']
beforeAll(async () => {
  const { app } = site
  ;[owner, tenant] = [await app.makeAdmin(), await app.makeTenant()]
  await app.as(owner).settings.messages.save({ version: 0, body: { enabled: true } })
  for (const firstName of ['Maya', 'Anna']) {
    const { id } = await makePending(app, tenant, { firstName })
    ;[first, second] = [second, id]
  }
})
const label = 'Message to the owner'
const typed = async () => ((await screen.findByLabelText(label)) as HTMLTextAreaElement).value
const open = (id: string) => openScreen(site.app, `/messages/${id}`, tenant)

test('what is being typed survives a reload, an ended session and the next login, for this person and thread alone, and goes with a logout [MSG-07]', async () => {
  await open(first)
  await typed()
  fill({ [label]: 'Is there a cot?' })
  await open(second)
  expect(await typed()).toBe('')
  await open(first)
  expect(await typed()).toBe('Is there a cot?')
  // Another tab types in the same thread; this one keeps its own words, and a new tab has the last ones.
  const keys = Object.keys(localStorage).filter(key => key.startsWith('drafts'))
  expect(keys).toEqual([`drafts ${tenant.userId}`])
  localStorage.setItem(
    keys[0] ?? '',
    JSON.stringify({ [first]: { body: 'From another tab', files: [], requestId: '', sent: '' } }),
  )
  await open(first)
  expect(await typed()).toBe('Is there a cot?')
  await press('Send')
  await says('Message sent')
  expect(await typed()).toBe('')
  expect(localStorage.getItem(keys[0] ?? '')).toContain('From another tab')
  sessionStorage.clear()
  await open(first)
  expect(await typed()).toBe('From another tab')
  await press('Logout')
  await waitFor(() => expect(Object.keys(localStorage).filter(key => key.startsWith('drafts'))).toEqual([]))
})

test('a send without an answer keeps the text, and tries again with the same requestId [MSG-08]', async () => {
  const sent: object[] = []
  await open(second)
  await typed()
  fill({ [label]: 'Hello <b>there</b> https://example.com/a.' })
  onCall('conversations.send', async (send, input) => {
    sent.push(input)
    await send()
    return noAnswer()
  })
  await press('Send')
  await says('Not sent')
  expect(await typed()).toContain('Hello')
  onCall('conversations.send', (send, input) => {
    sent.push(input)
    return send()
  })
  await press('Try Again')
  await says('Message sent')
  expect(await typed()).toBe('')
  const ids = sent.map(input => (input as { requestId: string }).requestId)
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
  const link = await screen.findByRole('link', { name: 'https://example.com/a' })
  expect(link.getAttribute('rel')).toContain('nofollow')
  expect(screen.getAllByText(/Hello <b>there<\/b>/)).toHaveLength(1)
})

test('after Earlier messages, however many new ones come, none is missing between two on the screen [MSG-03]', async () => {
  const { id: applicationId } = await makePending(site.app, tenant, { firstName: 'Zoe' })
  const write = async (first: number, last: number) => {
    for (let n = first; n <= last; n++) {
      const message = { applicationId, body: `Towel ${n}.`, requestId: crypto.randomUUID() }
      await site.app.as(tenant).conversations.send(message)
    }
  }
  const shown = () =>
    screen.getAllByText(/^Towel \d+\.$/).map(({ textContent }) => Number(/\d+/.exec(textContent ?? '')))
  const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n)
  const send = async (n: number) => {
    fill({ [label]: `Towel ${n}.` })
    await press('Send')
    await screen.findByText(`Towel ${n}.`, { selector: 'p' })
  }
  await write(1, 51)
  await open(applicationId)
  await typed()
  expect(shown()).toEqual(from(2, 51))
  await press('Earlier messages')
  await screen.findByText('Towel 1.')
  await send(52)
  expect(shown()).toEqual(from(1, 52))
  await write(53, 110)
  await send(111)
  expect(shown()).toEqual(from(62, 111))
  await press('Earlier messages')
  await screen.findByText('Towel 1.')
  expect(shown()).toEqual(from(1, 111))
})

test('the owner puts a quick reply earlier, and what is being typed stays [MSG-14]', async () => {
  const { addQuickReply } = site.app.as(owner).conversations
  for (const title of ['Arrival', 'Departure', 'Pets']) await addQuickReply({ title, body: 'Hello' })
  await openScreen(site.app, `/admin/messages/${first}`, owner)
  await press('Edit quick replies')
  fill({ Title: 'Parking' })
  await press('Earlier: Pets')
  const titles = () => screen.getAllByRole('option').map(option => option.textContent)
  await waitFor(() => expect(titles()).toEqual(['Choose one', 'Arrival', 'Pets', 'Departure']))
  expect((screen.getByLabelText('Title') as HTMLInputElement).value).toBe('Parking')
})

test('the owner switches messages on and off, sees who waits, and ends it without an answer [MSG-05, MSG-06]', async () => {
  const { app } = site
  await app
    .as(tenant)
    .conversations.send({ applicationId: first, body: 'And towels?', requestId: crypto.randomUUID() })
  await openScreen(app, '/admin/messages', owner)
  await says('And towels?')
  await says('Waiting')
  await openScreen(app, `/admin/messages/${first}`, owner)
  await press('No answer needed')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'No answer needed' })).toBeNull())
  await waitFor(async () =>
    expect((await app.as(owner).conversations.thread({ applicationId: first })).thread?.unread).toBe(0),
  )
  await openScreen(app, '/admin/site/guests', owner)
  const control = await screen.findByRole('switch', { name: 'Guests can write messages here' })
  control.click()
  await says('Messages switched off')
  await openScreen(app, `/messages/${first}`, tenant)
  await says('Messages are switched off here.')
})
