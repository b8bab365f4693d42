import { Armchair, BedDouble, Check, CookingPot, Info, ShowerHead, Umbrella } from 'lucide-react'
import { type AmenityGroup, amenities } from '../../content/amenities.ts'
import { Section } from './section.tsx'

const icons: Record<AmenityGroup['icon'], typeof Check> = {
  view: Umbrella,
  living: Armchair,
  kitchen: CookingPot,
  bed: BedDouble,
  bath: ShowerHead,
  rules: Info,
}

export function AmenitiesSection() {
  return (
    <Section id="amenities" eyebrow="Amenities" title="All that a good stay needs" className="bg-glass-light">
      <ul className="grid gap-x-10 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        {amenities.map(({ icon, title, items }) => {
          const Icon = icons[icon]
          return (
            <li key={title}>
              <h3 className="flex items-center gap-3 border-b border-glass pb-3 text-lg font-semibold text-navy">
                <Icon aria-hidden strokeWidth={1.5} className="size-7 text-lagoon-dark" />
                {title}
              </h3>
              <ul className="mt-3 space-y-2">
                {items.map(item => (
                  <li key={item} className="flex gap-2.5">
                    <Check aria-hidden className="mt-1 size-4 shrink-0 text-lagoon-dark" />
                    {item}
                  </li>
                ))}
              </ul>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
