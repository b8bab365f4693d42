import { ExternalLink, MapPin } from 'lucide-react'
import type { HomeView } from '../../../domain/content/content-views.ts'
import { Picture } from '../../features/content/picture.tsx'
import { Button } from '../../ui/button.tsx'
import { noBreakCity } from '../../ui/no-break-city.ts'
import { withUniqueKeys } from '../../ui/unique-keys.ts'
import { BeachMap } from './beach-map.tsx'
import { Section } from './section.tsx'

type LocationSectionProps = Pick<HomeView, 'location' | 'facts'> & {
  propertyName: string
  propertyAddress: string
}

export function LocationSection({ location, facts, propertyName, propertyAddress }: LocationSectionProps) {
  return (
    <Section
      id="location"
      eyebrow="Location"
      title={location.title}
      intro={location.text}
      className="bg-shell"
    >
      <div className={location.map === 'none' ? 'max-w-2xl' : 'grid gap-8 lg:grid-cols-[8fr_4fr] lg:gap-12'}>
        <LocationMap location={location} facts={facts} />
        <div className="wrap-anywhere">
          <h3 className="text-sm font-semibold tracking-wide text-muted uppercase">Address</h3>
          <address className="mt-2 flex gap-3 text-lg leading-snug not-italic">
            <MapPin aria-hidden strokeWidth={1.5} className="size-7 shrink-0 text-lagoon-dark" />
            <span>
              <strong className="block font-semibold text-navy">{propertyName}</strong>
              {noBreakCity(propertyAddress)}
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
          <dl className="mt-8 divide-y divide-line border-y border-line empty:hidden">
            {withUniqueKeys(location.walks, ({ where }) => where).map(({ key, item: { where, how } }) => (
              <div key={key} className="flex flex-wrap justify-between gap-x-4 py-3">
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

/** Matches `10 feet` in '10 feet from the beach'; longer distances do not fit in the drawing. */
const beforeTheBeach = /^(.{1,12}) from the beach/

/** The drawn map, a picture, or nothing. */
function LocationMap({ location, facts }: Pick<HomeView, 'location' | 'facts'>) {
  const { alt, map, note, picture } = location
  const distance = facts.items.map(({ text }) => beforeTheBeach.exec(text)?.[1]).find(Boolean)
  if (map === 'none' || (map === 'picture' && !picture)) return null
  return (
    <figure className="wrap-anywhere">
      {map === 'picture' && picture ? (
        <Picture
          picture={picture}
          alt={alt}
          sizes="(min-width: 72rem) 45rem, (min-width: 64rem) 62vw, 92vw"
          className="h-auto w-full rounded-card border border-line shadow-card"
        />
      ) : (
        <BeachMap
          distance={distance}
          inWords={distance && (beforeTheBeach.exec(location.title)?.[1] ?? distance).toLowerCase()}
          className="h-auto w-full rounded-card border border-line shadow-card"
        />
      )}
      {note && <figcaption className="mt-2 text-sm text-muted">{note}</figcaption>}
    </figure>
  )
}
