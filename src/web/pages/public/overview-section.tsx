import {
  Bath,
  BedDouble,
  Building2,
  CigaretteOff,
  Maximize,
  SquareParking,
  Umbrella,
  UsersRound,
  WavesLadder,
  Wifi,
} from 'lucide-react'
import { useState } from 'react'
import type { HomeView } from '../../../domain/content/content-views.ts'
import { Picture } from '../../features/content/picture.tsx'
import { Button } from '../../ui/button.tsx'
import { withUniqueKeys } from '../../ui/unique-keys.ts'
import { Paragraphs, Section } from './section.tsx'

const icons: Record<HomeView['facts']['items'][number]['icon'], typeof Bath> = {
  bed: BedDouble,
  bath: Bath,
  guests: UsersRound,
  area: Maximize,
  floor: Building2,
  beach: Umbrella,
  smoke: CigaretteOff,
  parking: SquareParking,
  wifi: Wifi,
  pool: WavesLadder,
}

export function OverviewSection({ facts, overview }: Pick<HomeView, 'facts' | 'overview'>) {
  const [whole, setWhole] = useState(false)
  return (
    <Section id="overview" eyebrow="Overview" title={overview.title}>
      <div className="grid items-start gap-10 lg:grid-cols-[7fr_5fr] lg:gap-16">
        <div>
          <div id="overview-text" className="space-y-4 text-lg leading-relaxed wrap-anywhere">
            <Paragraphs text={overview.intro} />
            {whole && <Paragraphs text={overview.more} />}
            {overview.more && (
              <noscript>
                <div className="space-y-4">
                  <Paragraphs text={overview.more} />
                </div>
              </noscript>
            )}
          </div>
          {overview.more && (
            <Button
              variant="secondary"
              aria-expanded={whole}
              aria-controls="overview-text"
              onClick={() => setWhole(!whole)}
              className="mt-5 noscript:hidden"
            >
              {whole ? 'Show Less' : 'Show More'}
            </Button>
          )}
          <ul className="mt-10 grid grid-cols-2 gap-x-6 gap-y-5 border-t border-line pt-8 sm:grid-cols-3">
            {withUniqueKeys(facts.items, ({ text }) => text).map(({ key, item: { icon, text } }) => {
              const Icon = icons[icon]
              return (
                <li
                  key={key}
                  className="flex items-center gap-3 leading-snug font-semibold wrap-anywhere text-navy"
                >
                  <Icon aria-hidden strokeWidth={1.5} className="size-7 shrink-0 text-lagoon-dark" />
                  {text}
                </li>
              )
            })}
          </ul>
        </div>
        <div className="lg:-mt-36">
          <Picture
            picture={overview.picture}
            sizes="(min-width: 72rem) 27rem, (min-width: 64rem) 38vw, 92vw"
            alt={overview.alt}
            className="aspect-3/2 w-full rounded-card object-cover shadow-card lg:aspect-4/5"
          />
        </div>
      </div>
    </Section>
  )
}
