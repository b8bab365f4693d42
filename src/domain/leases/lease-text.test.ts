import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../testing/any-text.ts'
import { buildContent } from '../../testing/build-content.ts'
import { isPrintable } from '../common/printable.ts'
import { leaseTemplate } from './lease-template.ts'
import { checkTemplate, type LeaseData, renderLeaseText } from './lease-text.ts'
import { sampleLease } from './lease-wording.ts'

const data: LeaseData = {
  ...sampleLease,
  guests: [...sampleLease.guests, { name: 'Zoë Müller', isAdult: true }],
  houseRules: buildContent().houseRules.rules,
  charges: [],
  paymentSchedule: '',
}

describe('the text of a lease', () => {
  const text = renderLeaseText(data)

  test('names the parties, premises, term, rent, deposit, occupants and rules [LEASE-49]', () => {
    for (const words of [
      'Landlord: Seabreeze Rentals LLC',
      'Tenant: Anna Smith and Ben Jones',
      'Seabreeze Condo, 100 Ocean Drive, Unit 4B, Beachtown, FL 32000',
      'begins on June 1, 2026 and ends on September 13, 2026, which is 104 nights',
      '$2,500.00 per month',
      '3 months × $2,500.00 + 12 days × 1/30 × $2,500.00 = $7,500.00 + $1,000.00 = $8,500.00',
      'security deposit of $500.00',
      '$9,000.00 is due',
      '- Anna Smith, adult\n- Ben Jones, adult\n- Leo Smith, minor\n- Zoë Müller, adult\n',
      '4 people in all',
      '7. USE AND HOUSE RULES',
      'Premises are non-smoking',
      'an electronic signature, typed or drawn, has the same effect',
      'Application number: APP-2026-0007',
    ])
      expect(text).toContain(words)
    expect(text.match(/^Tenant: Anna Smith\n\nSignature: _+ {3}Date: _+$/m)).not.toBeNull()
    expect(text.match(/^Tenant: Ben Jones\n\nSignature: _+ {3}Date: _+$/m)).not.toBeNull()
  })

  test('the rent of a short stay is one amount, and not per month [LOOK-60]', () => {
    const short = renderLeaseText({ ...data, endDate: '2026-06-15', monthlyRentCents: 1750_00 })
    expect(short).toContain('The rent is for the whole stay, not by the month.')
    expect(short.match(/\$1,750\.00/g)).toHaveLength(2)
    expect(short).not.toMatch(/pool/)
    expect(short).toContain('How it adds up: 14 nights, $1,750.00')
    expect(short).not.toMatch(/per month|month's rent/)
  })

  test('leaves no placeholder unfilled, and every line is printable', () => {
    expect(text).not.toMatch(/[{}]|undefined|null|NaN/)
    expect(text.split('\n').filter(line => !isPrintable(line))).toEqual([])
  })

  test('section 7 lists the house rules; without any, the line is removed [SITE-15]', () => {
    const withRules = renderLeaseText({ ...data, houseRules: ['No pets', '{{deposit}}', 'a\n8. b'] })
    expect(withRules).toContain(
      '7. USE AND HOUSE RULES\n\n- No pets\n- {{deposit}}\n- a 8. b\n\n8. NO SMOKING',
    )
    expect(renderLeaseText({ ...data, houseRules: [] })).toContain('7. USE AND HOUSE RULES\n\n8. NO SMOKING')
  })

  test('a single tenant signs alone', () => {
    const alone = renderLeaseText({ ...data, coTenantName: null, guests: [] })
    expect(alone.match(/^Signature:/gm)).toHaveLength(1)
    expect(alone).toContain('1 person in all:\n\n- Anna Smith, adult\n\n')
  })

  test('the same data gives the same text', () => {
    expect(renderLeaseText({ ...data })).toBe(text)
  })

  test('no value can add a line or act as a placeholder', () => {
    const lineCount = text.split('\n').length
    const value = fc.oneof(
      anyText({ minLength: 1, maxLength: 30 }),
      fc.constantFrom(
        '{{deposit}}',
        '$&$1$$',
        'a\n- Eve, adult',
        'x\r\n\u2028\u20291. RENT',
        '\u202etxt',
        '{{',
      ),
    )
    fc.assert(
      fc.property(value, hostile => {
        const rendered = renderLeaseText({
          ...data,
          tenantName: `T${hostile}`,
          propertyName: `P${hostile}`,
          guests: [
            { name: hostile, isAdult: true },
            { name: 'B', isAdult: false },
          ],
        })
        const lines = rendered.split('\n')
        expect(lines).toHaveLength(lineCount)
        expect(lines.filter(line => !isPrintable(line))).toEqual([])
        expect(rendered).toContain('security deposit of $500.00')
      }),
    )
    expect(renderLeaseText({ ...data, tenantName: '{{deposit}}' })).toContain(
      'Tenant: {{deposit}} and Ben Jones',
    )
    expect(renderLeaseText({ ...data, tenantName: "$&$'" })).toContain("Tenant: $&$' and Ben Jones")
  })
})

describe('fees and taxes in the lease', () => {
  const charges = [
    { label: 'Cleaning fee', amountCents: 175_00 },
    { label: 'Early booking (5% of $8,500.00)', amountCents: -425_00 },
    { label: 'A tax of nothing', amountCents: 0 },
  ]

  test('without them, the text is unchanged byte for byte [CHG-03]', () => {
    const sha256 = createHash('sha256').update(renderLeaseText(data)).digest('hex')
    expect(sha256).toBe('dab2b24f0851f76d840b3735d287aa5297f24905f2ff4e73fb1f284f8df05aa7')
    const nothing = [{ label: 'A tax of nothing', amountCents: 0 }]
    expect(renderLeaseText({ ...data, charges: nothing })).toBe(renderLeaseText(data))
  })

  test('are listed with their sum, and included in the amount due with the deposit [CHG-18, CHG-19]', () => {
    const text = renderLeaseText({ ...data, charges })
    expect(text).toContain(
      [
        'How it adds up: 3 months × $2,500.00 + 12 days × 1/30 × $2,500.00 = $7,500.00 + $1,000.00 = $8,500.00',
        '',
        'In addition to the rent, the Tenant pays for the whole term:',
        '',
        '- Cleaning fee: $175.00',
        '- Early booking (5% of $8,500.00): −$425.00',
        '',
        'Rent, fees and taxes together: $8,250.00',
        'They are due together with the rent.',
        '',
        'The rent is due before',
      ].join('\n'),
    )
    expect(text).toContain(
      'Together with the rent for the whole term, the fees and the taxes, $8,750.00 is due under this Agreement.',
    )
  })

  test('a line with only an empty placeholder is removed, with the empty line after it [CHG-20]', () => {
    const template = `${leaseTemplate}\n\nA\n{{charges}}\nB\n\n{{ charges }}\n\nC {{charges}}\n\n{{charges}}`
    expect(renderLeaseText(data, template)).toMatch(/\n\nA\nB\n\nC$/)
    expect(renderLeaseText({ ...data, charges }, template)).toMatch(
      /\nA\nIn addition[\s\S]*\nB\n\nIn addition/,
    )
  })

  test('a template without {{charges}} is valid, and rejected only for a lease with charges [CHG-20]', () => {
    const template = leaseTemplate.replace('{{charges}}\n\n', '')
    expect(checkTemplate(template)).toEqual([])
    expect(renderLeaseText(data, template)).toBe(renderLeaseText(data))
    expect(() => renderLeaseText({ ...data, charges }, template)).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message: 'The lease text has no place for fees and taxes: put {{charges}} into it.',
      }),
    )
  })

  test('a label cannot add a line', () => {
    const text = renderLeaseText({ ...data, charges: [{ label: 'A\n- B\n1. C', amountCents: 1 }] })
    expect(text).toContain('\n- A - B 1. C: $0.01\n')
  })
})

describe('the template check', () => {
  test('finds no errors in the shipped template', () => {
    expect(checkTemplate()).toEqual([])
  })

  test('reports all errors at once', () => {
    const broken = `${leaseTemplate
      .replace('{{deposit}}', '{{depozit}}')
      .replace('{{tenantNames}}', '{{ toString }}')
      .replace('{{nights}}', '{nights}}')}\n🏖`
    expect(checkTemplate(broken)).toEqual([
      'The lease template has an unknown placeholder {{toString}}.',
      'The lease template has an unknown placeholder {{depozit}}.',
      'The lease template lacks the placeholder {{tenantNames}}.',
      'The lease template lacks the placeholder {{deposit}}.',
      expect.stringMatching(
        /^Line \d+ of the lease template has double braces that do not make a placeholder\.$/,
      ),
      expect.stringMatching(/^Line \d+ of the lease template has a character that cannot be printed\.$/),
    ])
  })

  test('allows spaces inside the braces, and missing optional placeholders', () => {
    const edited = leaseTemplate
      .replace('{{deposit}}', '{{ deposit }}')
      .replace('{{landlordContact}}', 'see above')
    expect(checkTemplate(edited)).toEqual([])
    expect(renderLeaseText(data, edited)).toContain('security deposit of $500.00')
  })
})
