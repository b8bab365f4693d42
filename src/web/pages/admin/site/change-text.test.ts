import { expect, test } from 'vitest'
import { diffTexts, shortened } from './change-list.tsx'
import { type Change, changeLabel, orderText, summaryOf } from './change-text.ts'
import { warningsOf } from './publish-dialog.tsx'

const nameOf = (_list: string, id: string) => (id === 'a1' ? 'Balcony' : undefined)

test('describes where a change is [SITE-24]', () => {
  const labels = {
    headline: 'Headline',
    'pictures.a1.caption': 'Picture “Balcony”, Caption',
    'pictures.b2': 'Picture',
    'pictures.order': 'Order of the pictures',
    'groups.0.items.2': 'Group 1, Item 3',
    'rules.4': 'Rule 5',
    'focal.x': 'What stays in view, across',
  }
  for (const [path, label] of Object.entries(labels)) expect(changeLabel(path, nameOf)).toBe(label)
  const order = (after: unknown): Change => ({
    section: 'gallery',
    path: 'pictures.order',
    before: [],
    after,
  })
  expect(orderText(order(['a1']), nameOf)).toBe('The new order: Balcony.')
  expect(orderText(order(['a1', 'b2']), nameOf)).toBe('The order has changed.')
})

test('warns about the consequences of publishing, and about nothing else [SITE-15, SITE-23]', () => {
  const warnings = (section: Change['section'], path: string) => warningsOf([{ section, path }])
  expect(warnings('houseRules', 'rules.0')).toEqual(['New leases will carry these house rules.'])
  expect(warnings('houseRules', 'showOnPage')).toEqual([])
  const mail = 'You will get an email about the changed contact or payment details.'
  for (const path of ['ownerEmail', 'ownerPhone']) expect(warnings('identity', path)).toEqual([mail])
  expect(warnings('waysToPay', 'ways.0.name')).toEqual([mail])
  expect(warnings('identity', 'companyName')).toEqual([])
})

test('marks only the words that differ, and shortens long unchanged texts', () => {
  const marked = diffTexts('A quiet condo', 'A bright condo').filter(({ added, removed }) => added || removed)
  expect(marked.map(({ value }) => value.trim())).toEqual(['quiet', 'bright'])
  const long = 'word '.repeat(100)
  const short = shortened(long, { isFirst: false, isLast: false })
  expect(short).toMatch(/^(word )+…( word)+ $/)
  expect(short.length).toBeLessThan(210)
})

test('summarizes a closed section by its heading, first text, or entries', () => {
  expect(summaryOf({ eyebrow: 'Gulf front', headline: 'Wake up to the ocean' })).toBe('Wake up to the ocean')
  expect(summaryOf({ title: '', text: 'Write to us.' })).toBe('Write to us.')
  expect(summaryOf({ sleeps: 4, items: [{ icon: 'bed', text: '2 bedrooms' }, 'Sleeps 4'] })).toBe(
    '2 bedrooms · Sleeps 4',
  )
  expect(summaryOf({ title: 'Have a look', pictures: [{}, {}] })).toBe('2 pictures')
  expect(summaryOf({ title: '', ways: [] })).toBe('')
  expect(summaryOf({ title: 'What guests say', reviews: [] })).toBe('No reviews yet')
  expect(summaryOf({ title: 'Where you will stay', text: '', walks: [] })).toBe('No text yet')
  expect(summaryOf({ title: 'What you find', groups: [{ title: 'Kitchen' }] })).toBe('What you find')
  expect(summaryOf({ title: '', map: 'sketch' })).toBe('')
  expect(summaryOf({ bedrooms: 2, floor: 0, items: [] })).toBe('Bedrooms 2')
})
