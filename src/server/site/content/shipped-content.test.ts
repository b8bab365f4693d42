import { describe, expect, test } from 'vitest'
import { sectionNames } from '../../../domain/content/content.ts'
import { parseSection, publishErrors } from '../../../domain/content/content-errors.ts'
import { pictureUses } from '../../../domain/content/picture.ts'
import { leaseTemplate } from '../../../domain/leases/lease-template.ts'
import { renderLeaseText } from '../../../domain/leases/lease-text.ts'
import { sampleLease } from '../../../domain/leases/lease-wording.ts'
import { buildContent } from '../../../testing/build-content.ts'
import { sha256 } from '../../lib/sha256.ts'
import { shippedPictures } from './pictures.ts'
import { shippedContent } from './shipped-content.ts'

const content = buildContent()

describe('the shipped content', () => {
  test.each(sectionNames.filter(name => name !== 'identity'))(
    'of %s is not changed by saving [SITE-01]',
    name => {
      expect(parseSection(name, shippedContent[name], '2026-11-22')).toEqual({ body: shippedContent[name] })
    },
  )

  test('is complete, except for sample reviews in production [SITE-01, SITE-05, SITE-12]', () => {
    expect(publishErrors(content, { isProduction: false })).toEqual({})
    expect(Object.keys(publishErrors(content, { isProduction: true }))).toEqual(['reviews.reviews'])
    expect(new Set(Object.keys(shippedContent))).toEqual(new Set(sectionNames))
    expect(shippedContent.identity).toBeNull()
    expect(content.facts.sleeps).toBe(4)
  })

  test('uses only shipped pictures [SITE-01]', () => {
    expect([...pictureUses(shippedContent).keys()].filter(id => !shippedPictures.has(id))).toEqual([])
  })
})

test('the shipped house rules are the list in section 7 of the lease [SITE-15]', () => {
  expect(leaseTemplate).toContain('7. USE AND HOUSE RULES\n\n{{houseRules}}\n\n8. NO SMOKING')
  expect(content.houseRules.rules).toHaveLength(6)
  // The hash of the shipped lease with the shipped rules.
  const text = renderLeaseText({ ...sampleLease, houseRules: content.houseRules.rules })
  expect(sha256(text)).toBe('8aabca5b56feed19cd56c949babfe5112873626b7f62b398d8be5c6de2754070')
  expect(content.houseRules.showOnPage).toBe(false)
})
