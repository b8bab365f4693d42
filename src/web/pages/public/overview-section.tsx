import { Bath, BedDouble, Building2, CigaretteOff, Maximize, Umbrella, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { type Fact, facts, overview } from '../../content/property.ts'
import { Button } from '../../ui/button.tsx'
import { Picture } from './picture.tsx'
import { Section } from './section.tsx'

const icons: Record<Fact['icon'], typeof Bath> = {
  bed: BedDouble,
  bath: Bath,
  guests: UsersRound,
  area: Maximize,
  floor: Building2,
  beach: Umbrella,
  smoke: CigaretteOff,
}

export function OverviewSection() {
  const [whole, setWhole] = useState(false)
  return (
    <Section id="overview" eyebrow="Overview" title={overview.title}>
      <div className="grid items-start gap-10 lg:grid-cols-[7fr_5fr] lg:gap-16">
        <div>
          <div id="overview-text" className="space-y-4 text-lg leading-relaxed">
            {overview.intro.map(text => (
              <p key={text}>{text}</p>
            ))}
            {whole && overview.more.map(text => <p key={text}>{text}</p>)}
            <noscript>
              <div className="space-y-4">
                {overview.more.map(text => (
                  <p key={text}>{text}</p>
                ))}
              </div>
            </noscript>
          </div>
          <Button
            variant="secondary"
            aria-expanded={whole}
            aria-controls="overview-text"
            onClick={() => setWhole(!whole)}
            className="mt-5 noscript:hidden"
          >
            {whole ? 'Show Less' : 'Show More'}
          </Button>
          <ul className="mt-10 grid grid-cols-2 gap-x-6 gap-y-5 border-t border-line pt-8 sm:grid-cols-3">
            {facts.map(({ icon, text }) => {
              const Icon = icons[icon]
              return (
                <li key={text} className="flex items-center gap-3 leading-snug font-semibold text-navy">
                  <Icon aria-hidden strokeWidth={1.5} className="size-7 shrink-0 text-lagoon-dark" />
                  {text}
                </li>
              )
            })}
          </ul>
        </div>
        <div className="lg:-mt-36">
          <Picture
            name="02-balcony-ocean"
            sizes="(min-width: 72rem) 27rem, (min-width: 64rem) 38vw, 92vw"
            alt="Two rattan chairs on the balcony, facing the sea"
            className="aspect-3/2 w-full rounded-card object-cover shadow-card lg:aspect-4/5"
          />
        </div>
      </div>
    </Section>
  )
}
