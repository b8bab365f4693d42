import {
  Armchair,
  BedDouble,
  Check,
  CookingPot,
  Info,
  ShowerHead,
  SquareParking,
  Umbrella,
  Wifi,
} from 'lucide-react'
import type { HomeView } from '../../../domain/content/content-views.ts'
import { withUniqueKeys } from '../../ui/unique-keys.ts'
import { Section } from './section.tsx'

const icons: Record<HomeView['amenities']['groups'][number]['icon'], typeof Check> = {
  view: Umbrella,
  living: Armchair,
  kitchen: CookingPot,
  bed: BedDouble,
  bath: ShowerHead,
  rules: Info,
  parking: SquareParking,
  wifi: Wifi,
}

export function AmenitiesSection({ amenities }: Pick<HomeView, 'amenities'>) {
  if (amenities.groups.length === 0) return null
  return (
    <Section id="amenities" eyebrow="Amenities" title={amenities.title} className="bg-glass-light">
      <ul className="grid gap-x-10 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        {withUniqueKeys(amenities.groups, ({ title }) => title).map(
          ({ key, item: { icon, title, items } }) => {
            const Icon = icons[icon]
            return (
              <li key={key} className="wrap-anywhere">
                <h3 className="flex items-center gap-3 border-b border-glass pb-3 text-lg font-semibold text-navy">
                  <Icon aria-hidden strokeWidth={1.5} className="size-7 shrink-0 text-lagoon-dark" />
                  {title}
                </h3>
                <ul className="mt-3 space-y-2">
                  {withUniqueKeys(items, name => name).map(({ key, item }) => (
                    <li key={key} className="flex gap-2.5">
                      <Check aria-hidden className="mt-1 size-4 shrink-0 text-lagoon-dark" />
                      {item}
                    </li>
                  ))}
                </ul>
              </li>
            )
          },
        )}
      </ul>
    </Section>
  )
}
