import { expectAccessible } from './axe.ts'
import { expect, owner, test } from './site.ts'

const pages = [
  {
    path: '/privacy',
    title: 'Privacy Policy',
    sections: [
      'Information We Collect',
      'How We Use Information',
      'Sharing',
      'Data Security & Retention',
      'Your Choices',
      'Contact',
    ],
  },
  {
    path: '/terms',
    title: 'Terms of Service',
    sections: [
      'Use of the Site',
      'Accounts',
      'Payments',
      'Content and Intellectual Property',
      'Disclaimer',
      'Changes',
      'Contact',
    ],
  },
]

test('the legal pages show their date and sections [LEGAL-01, LEGAL-02, LEGAL-03, LEGAL-04]', async ({
  page,
}) => {
  for (const { path, title, sections } of pages) {
    await page.goto(path)
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page).toHaveTitle(`${title} | Seaglass Shore Condo`)
    await expect(main.getByText('Effective September 2025')).toBeVisible()
    await expect(main.getByRole('heading', { level: 2 })).toHaveText(sections)
    await expect(main.getByRole('link', { name: owner.email }).first()).toHaveAttribute(
      'href',
      `mailto:${owner.email}`,
    )
    await expectAccessible(page)
  }
})
