import { withUniqueKeys } from '../../ui/unique-keys.ts'
import { Section } from './section.tsx'

/** The house rules of the lease, if the owner shows them on the page (SITE-15). */
export function HouseRulesSection({ rules }: { rules: readonly string[] }) {
  if (rules.length === 0) return null
  return (
    <Section id="house-rules" title="House rules" className="bg-white">
      <ul className="max-w-3xl list-disc space-y-2 pl-5 leading-relaxed wrap-anywhere marker:text-brass">
        {withUniqueKeys(rules, rule => rule).map(({ key, item }) => (
          <li key={key}>{item}</li>
        ))}
      </ul>
    </Section>
  )
}
