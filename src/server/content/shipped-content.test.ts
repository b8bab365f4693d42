import { describe, expect, test } from 'vitest'
import { sectionNames } from '../../domain/content.ts'
import { parseSection, publishFaults } from '../../domain/content-faults.ts'
import { pictureUses } from '../../domain/content-pictures.ts'
import { guestLimit } from '../../domain/guest-limit.ts'
import { leaseTemplate } from '../../domain/lease-template.ts'
import { buildContent } from '../../testing/build-content.ts'
import { shippedContent } from './shipped-content.ts'
import { shippedPictures } from './shipped-pictures.ts'

const content = buildContent()

describe('the shipped words', () => {
  test.each(sectionNames.filter(name => name !== 'identity'))(
    'of %s are stored as they stand here [SITE-01]',
    name => {
      expect(parseSection(name, shippedContent[name], '2026-11-22')).toEqual({ body: shippedContent[name] })
    },
  )

  test('are whole, but for the samples in production [SITE-01] [SITE-05] [SITE-12]', () => {
    expect(publishFaults(content, { isProduction: false })).toEqual({})
    expect(Object.keys(publishFaults(content, { isProduction: true }))).toEqual(['reviews.reviews'])
    expect(new Set(Object.keys(shippedContent))).toEqual(new Set(sectionNames))
    expect(shippedContent.identity).toBeNull()
    expect(content.facts.sleeps).toBe(guestLimit)
  })

  test('show only shipped pictures [SITE-01]', () => {
    expect([...pictureUses(shippedContent).keys()].filter(id => !shippedPictures.has(id))).toEqual([])
  })
})

test('the shipped house rules are the points of section 7 of the lease [SITE-15]', () => {
  const [, section = ''] = /7\. USE AND HOUSE RULES\n\n([\s\S]*?)\n\n8\. /.exec(leaseTemplate) ?? []
  expect(content.houseRules.rules.map(rule => `- ${rule}`).join('\n')).toBe(section)
  expect(content.houseRules.showOnPage).toBe(false)
})
