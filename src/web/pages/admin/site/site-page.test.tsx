// @vitest-environment dom
import { screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { contentMessages } from '../../../../domain/content/content-text.ts'
import { editorOf, makeEditor } from '../../../../testing/build-site.ts'
import {
  appOfFile,
  changeAnswer,
  fill,
  isAt,
  noAnswer,
  onCall,
  openScreen,
  press,
  refusal,
  says,
} from '../../../../testing/component.tsx'

const site = appOfFile()
afterEach(async () => {
  const { draft, editor } = await makeEditor(site.app)
  await editor.discardDraft({ revision: (await draft()).revision })
})
const card = (name: string) => within(screen.getByRole('region', { name }))
const dialog = async () => within(await screen.findByRole('dialog'))
const headings = (level: number) =>
  screen.getAllByRole('heading', { level }).map(({ textContent }) => textContent)

test.each([
  ['/admin/site/pictures', '/admin/site', 'Page'],
  ['/admin/site/lease', '/admin/site/documents', 'Documents and emails'],
  ['/admin/site/mails', '/admin/site/documents?kind=application-received', 'Documents and emails'],
])('the former address %s leads to %s [LOOK-51, LOOK-52]', async (from, to, tab) => {
  await openScreen(site.app, from, await site.app.makeAdmin())
  await isAt(to)
  const tabs = within(await screen.findByRole('navigation', { name: 'Site' })).getAllByRole('link')
  expect(tabs.map(({ textContent }) => textContent)).toEqual([
    'Page',
    'Name and contact',
    'Documents and emails',
    'Guests',
    'Server',
  ])
  expect(tabs.find(link => link.getAttribute('aria-current') === 'page')?.textContent).toBe(tab)
})

test('the page is in groups, without what is not a page [LOOK-51]', async () => {
  onCall('editor.draft', () => refusal({ status: 500 }))
  await openScreen(site.app, '/admin/site', await site.app.makeAdmin())
  await says('Failed to load the site')
  onCall('editor.draft', send => send())
  await press('Try Again')
  await says('Everything is published.')
  expect(headings(2)).toEqual(['Top of the page', 'The condo', 'Practical', 'Legal and search'])
  expect(headings(3)).toHaveLength(14)
  expect(document.body.textContent).not.toMatch(/ways to pay|Ways to pay/)
  await press('Welcome')
  expect(card('Welcome').getByLabelText(/^Headline/)).toBeTruthy()
})

test('before the site is opened there is nothing to publish: opening it does that [OPEN-04]', async () => {
  changeAnswer('site.get', data => Object.assign(data.site as object, { opening: 'never' }))
  const owner = await site.app.makeAdmin()
  await editorOf(site.app.as(owner)).save('hero', { headline: 'Ours' })
  await openScreen(site.app, '/admin/site', owner)
  await says('Saved. Visitors see it once you open the site.')
  expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Go on' }).getAttribute('href')).toBe('/admin/dashboard')
})

test('the editor lists sections with missing content instead of saying that everything is published [OPEN-05]', async () => {
  changeAnswer('editor.draft', data => {
    Object.assign(data.draft as object, { faults: { 'hero.text': 'Text is required', home: 'Too long' } })
  })
  await openScreen(site.app, '/admin/site', await site.app.makeAdmin())
  await says('Missing: Welcome.')
  card('Welcome').getByText('No text yet')
  expect(document.body.textContent).not.toContain('Everything is published.')
  await press('Go to Welcome')
  const text = await card('Welcome').findByLabelText(/^Text/)
  await expect.poll(() => document.activeElement === text).toBe(true)
})

test('before the site is opened, an open section says what it lacks without an error at the field [OPEN-05]', async () => {
  changeAnswer('site.get', data => Object.assign(data.site as object, { opening: 'never' }))
  const owner = await makeEditor(site.app)
  await owner.save('hero', { text: '' })
  await openScreen(site.app, '/admin/site', owner.actor)
  await press('Go to Welcome')
  const text = await card('Welcome').findByLabelText(/^Text/)
  expect(text.getAttribute('aria-invalid')).toBeNull()
  card('Welcome').getByText('Incomplete')
  card('Welcome').getByText('No text yet')
  expect(screen.queryByRole('button', { name: /^Go to/ })).toBeNull()
})

test('sections that came with the site, or whose pictures did, are marked as examples until the owner keeps them [OPEN-05]', async () => {
  const owner = await site.app.makeAdmin()
  changeAnswer('opening.get', data => Object.assign(data, { examples: ['pictures', 'house rules'] }))
  await openScreen(site.app, '/admin/site', owner)
  await says('Still examples: 4 sections.')
  card('Gallery').getByText('Example')
  expect(card('Amenities').queryByText('Example')).toBeNull()

  changeAnswer('editor.draft', data => {
    const faults = { 'facts.bathrooms': contentMessages.noRooms, 'overview.intro': 'Intro is required' }
    Object.assign(data.draft as object, { faults })
  })
  await openScreen(site.app, '/admin/site', owner)
  await says('Missing: Overview, Facts. Still examples: 3 sections.')
  card('Facts').getByText('No bedrooms or bathrooms yet')
})

test('a failed save stays in the form and is tried again [SITE-18]', async () => {
  const owner = await makeEditor(site.app)
  await openScreen(site.app, '/admin/site', owner.actor)
  await press('Welcome')
  await screen.findByLabelText(/^Headline/)
  onCall('editor.saveSection', noAnswer)
  fill({ Headline: 'Evenings at the gulf' }, card('Welcome'))
  await press('Publish')
  await says('Not saved: Welcome')
  const leaving = new Event('beforeunload', { cancelable: true })
  expect(window.dispatchEvent(leaving)).toBe(false)
  onCall('editor.saveSection', send => send())
  await press('Try Again', card('Welcome'))
  await says('Saved')
  expect((await owner.draft()).sections.hero.body).toMatchObject({ headline: 'Evenings at the gulf' })
  const headline = screen.getByLabelText<HTMLInputElement>(/^Headline/)
  await press('Undo changes of Welcome')
  await expect.poll(() => headline.value).toBe('Wake up to the ocean')
  await press('Put back')
  await expect.poll(() => headline.value).toBe('Evenings at the gulf')
})

test('other ways to pay are saved and published on How guests pay [LOOK-51]', async () => {
  const owner = await makeEditor(site.app)
  await owner.save('hero', { headline: 'Also changed' })
  await openScreen(site.app, '/admin/revenue/how-guests-pay', owner.actor)
  await screen.findByRole('region', { name: 'Other ways to pay' })
  await says('Everything is published.')
  const ways = card('Other ways to pay')
  // Those with a name are rows that open.
  expect(ways.queryByRole('group', { name: 'Zelle' })).toBeNull()
  await press('Zelle', ways)
  ways.getByRole('group', { name: 'Zelle' })
  await press('Add way to pay', ways)
  const name = ways.getAllByLabelText(/^Name/).at(-1)
  const id = name?.id.replace('waysToPay-ways.', '').replace('.name', '')
  fill({ Name: 'Wire' }, within(screen.getByRole('group', { name: `way to pay ${Number(id) + 1}` })))
  await says('Not published: Other ways to pay.')
  await press('Publish', ways)
  await press('Other ways to pay: Instructions is required', await dialog())
  fill(
    { Instructions: 'Ask {ownerEmail} for the account.' },
    within(screen.getByRole('group', { name: 'Wire' })),
  )
  await press('Publish', ways)
  await (await dialog()).findByText('You will get an email about the changed contact or payment details.')
  // The draft is one: what else waits is shown, too.
  await (await dialog()).findByText('Also changed')
  await press('Publish', await dialog())
  await says('Everything is published.')
  const { waysToPay } = await site.app.as(owner.actor).site.waysToPay()
  expect(waysToPay.at(-1)).toMatchObject({ name: 'Wire' })
})

test('an error on another screen leads there [LOOK-51]', async () => {
  const owner = await makeEditor(site.app)
  await owner.save('hero', { headline: '' })
  await openScreen(site.app, '/admin/site/name-and-contact', owner.actor)
  await screen.findByRole('button', { name: 'Preview' })
  fill({ 'Property name': 'Seaglass Two' }, card('Name and contact'))
  await says('Not published: Name and contact.')
  await press('Publish')
  await press('Welcome: Headline is required', await dialog())
  await isAt('/admin/site')
  const headline = await screen.findByLabelText(/^Headline/)
  await expect.poll(() => document.activeElement === headline).toBe(true)
})

test('a version is compared, put into the draft and published again [SITE-25, SITE-26, LOOK-51]', async () => {
  const owner = await makeEditor(site.app)
  await owner.save('hero', { headline: 'The tide comes in' })
  const { version } = await owner.publish('Tide')
  await owner.save('hero', { headline: 'The tide goes out' })
  await openScreen(site.app, '/admin/site/versions', owner.actor)
  const row = within(await screen.findByRole('listitem', { name: `Version ${version}` }))
  expect(row.getByText('Published')).toBeTruthy()
  expect(row.getByText('Tide')).toBeTruthy()
  expect(row.getByText('Changed: Welcome')).toBeTruthy()
  await press('Compare: version 0')
  await (await dialog()).findByText(/tide comes in/)
  await press('Publish again', await dialog())
  await says('An earlier version again.')
  expect((await owner.draft()).published.version).toBe(version + 1)

  await press(`Compare: version ${version}`)
  await press('Put into the draft', await dialog())
  const question = within(await screen.findByRole('alertdialog'))
  expect(question.getByText('The draft has changes that are not published.')).toBeTruthy()
  await press('Replace', question)
  await isAt('/admin/site')
  await says(`Version ${version} is in the draft`)
  expect((await owner.draft()).sections.hero.body).toMatchObject({ headline: 'The tide comes in' })
})

test('the Server screen says in words how the site is configured, and folds the variables [LOOK-52]', async () => {
  changeAnswer('notices.server', data => {
    const states = data.states as { label: string; isMissing: boolean }[]
    for (const state of states) state.isMissing = state.label === 'Address'
  })
  await openScreen(site.app, '/admin/site/server', await site.app.makeAdmin())
  await says('America/New_York')
  expect(screen.getAllByText('Not public')).toHaveLength(1)
  const installation = within(screen.getByRole('region', { name: 'This installation' }))
  const folded = installation.getByText('For whoever runs the server').closest('details')
  expect(folded?.open).toBe(false)
  expect(folded?.textContent).toContain('PROPERTY_TIMEZONE')
  folded?.remove()
  expect(document.body.textContent).not.toMatch(/[A-Z]{3,}_[A-Z]/)

  await openScreen(site.app, '/admin/site/server#this-installation', await site.app.makeAdmin())
  await says('For whoever runs the server')
  expect(screen.getByText('For whoever runs the server').closest('details')?.open).toBe(true)
})
