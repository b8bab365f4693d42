import { ExternalLink, MapPin } from 'lucide-react'
import { gettingHere } from '../../content/property.ts'
import { Button } from '../../ui/button.tsx'
import { BeachMap } from './beach-map.tsx'
import { Section } from './section.tsx'

type LocationSectionProps = { propertyName: string; propertyAddress: string }

export function LocationSection({ propertyName, propertyAddress }: LocationSectionProps) {
  return (
    <Section
      id="location"
      eyebrow="Location"
      title={gettingHere.title}
      intro={gettingHere.text}
      className="bg-shell"
    >
      <div className="grid gap-8 lg:grid-cols-[8fr_4fr] lg:gap-12">
        <figure>
          <BeachMap className="h-auto w-full rounded-card border border-line shadow-card" />
          <figcaption className="mt-2 text-sm text-muted">{gettingHere.mapNote}</figcaption>
        </figure>
        <div>
          <h3 className="text-sm font-semibold tracking-wide text-muted uppercase">Address</h3>
          <address className="mt-2 flex gap-3 text-lg leading-snug not-italic">
            <MapPin aria-hidden strokeWidth={1.5} className="size-7 shrink-0 text-lagoon-dark" />
            <span>
              <strong className="block font-semibold text-navy">{propertyName}</strong>
              {propertyAddress}
            </span>
          </address>
          <Button asChild variant="secondary" className="mt-5">
            <a
              href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(propertyAddress)}`}
              target="_blank"
              rel="noreferrer"
            >
              Open in a maps app
              <ExternalLink aria-hidden />
              <span className="sr-only">(opens in a new tab)</span>
            </a>
          </Button>
          <dl className="mt-8 divide-y divide-line border-y border-line">
            {gettingHere.walks.map(({ where, how }) => (
              <div key={where} className="flex flex-wrap justify-between gap-x-4 py-3">
                <dt className="font-semibold text-navy">{where}</dt>
                <dd className="text-muted">{how}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </Section>
  )
}
