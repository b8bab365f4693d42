import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { arrivalLabels, stayMessages } from '../../../domain/arrival/stay-messages.ts'
import {
  type CalendarDate,
  dateIn,
  formatMoment,
  formatMomentTime,
  formatShortDate,
} from '../../../domain/common/dates.ts'
import { bareNumber } from '../../../domain/common/phone.ts'
import { plural } from '../../../domain/common/plural.ts'
import { stayPhase } from '../../../domain/common/stay.ts'
import type { Block } from '../../../domain/content/content-blocks.ts'
import type { PictureView } from '../../../domain/content/content-views.ts'
import type { Outputs } from '../../api/api.ts'
import { refusalOr } from '../../api/failures.ts'
import { fetchFile, saveFile } from '../../api/files.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Row } from '../../ui/row.tsx'
import { toast } from '../../ui/toast.ts'
import { withUniqueKeys } from '../../ui/unique-keys.ts'
import { BlockText } from '../content/block-text.tsx'
import { useDay } from '../stays/today.ts'

type Stay = Outputs['stays']['open']['stay']

/** With `input` it is a POST. */
type Calendar = { path: string; input?: unknown }
type StayViewProps = {
  stay: Stay
  calendar?: Calendar | undefined
  showCode?: (lockId: string) => Promise<Outputs['stays']['openCode']>
  showWifi?: () => Promise<Outputs['stays']['openWifi']>
  /** What stands in the place of a code that is not shown here. */
  instead?: ReactNode
  children?: ReactNode
}

/** Everything for the stay on one page, for a phone in one hand (STAY-29). */
export function StayView({ calendar, children, instead, showCode, showWifi, stay }: StayViewProps) {
  const { codesVersion, locks, sections } = stay
  const { timeZone, today } = useDay()
  // The owner may let a guest stay for longer.
  const leaves = dateIn(new Date(stay.checkOutAt), timeZone)
  const isHere = stayPhase({ start: stay.startDate, end: leaves }, today) === 'during'
  const { checkout, contacts, directions, entry, manual, parking, welcome, wifi } = sections
  const words = (path: string) => <Words blocks={stay.blocks[path]} />
  const picture = ({ alt, picture }: { alt: string; picture: string | null }) =>
    picture && <Photo picture={stay.pictures[picture]} alt={alt} />
  const isOpen = stay.gate.state === 'open'
  const notForGuest = instead ?? <span className="text-muted">{stayMessages.notForGuest}</span>
  const directionsPart = directions && (
    <Part name="directions">
      <Row title={directions.address}>
        <Button asChild variant="secondary">
          <a href={directions.mapLink || mapOf(directions.address)} rel="noreferrer" target="_blank">
            Open map
          </a>
        </Button>
        <Copy text={directions.address} />
      </Row>
      {(directions.text || directions.picture) && (
        <Disclosure summary="Directions">
          {picture(directions)}
          {words('directions.text')}
        </Disclosure>
      )}
    </Part>
  )
  const entryPart = (locks.length > 0 || entry || wifi) && (
    <Part name="entry">
      {locks.map(({ hint, lockId, name, ready }) => (
        <Row key={lockId} title={name} text={ready ? hint : stayMessages.codeNotSet}>
          {isOpen &&
            ready &&
            (showCode ? (
              <Secret label="Show code" version={codesVersion} show={() => showCode(lockId)}>
                {({ code }) => <span className="font-mono text-3xl tracking-widest">{code.code}</span>}
              </Secret>
            ) : (
              notForGuest
            ))}
        </Row>
      ))}
      {entry && picture(entry)}
      {words('entry.text')}
      {wifi && (
        <Row title="Wi-Fi" text={`Network: ${wifi.network}`}>
          {isOpen && !showWifi && notForGuest}
          {isOpen && showWifi && (
            <Secret label="Show Wi-Fi" version={codesVersion} show={showWifi}>
              {({ wifi: { password, qrSvg } }) => (
                <>
                  <span className="flex flex-wrap items-center gap-3">
                    <span className="font-mono text-xl wrap-anywhere">{password ?? 'No password'}</span>
                    {password && <Copy text={password} />}
                  </span>
                  <span className="mt-2 flex items-center gap-3 text-muted">
                    <img
                      alt="QR code that joins the Wi-Fi"
                      className="size-32"
                      src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`}
                    />
                    Scan to join
                  </span>
                </>
              )}
            </Secret>
          )}
        </Row>
      )}
    </Part>
  )
  return (
    <div className="grid gap-4">
      <When stay={stay} hereUntil={isHere ? leaves : undefined} calendar={calendar} />
      {/* A guest at the property needs the door first. */}
      {isHere ? entryPart : directionsPart}
      {isHere ? directionsPart : entryPart}
      {welcome && <Part name="welcome">{words('welcome.text')}</Part>}
      {parking && (
        <Part name="parking">
          {picture(parking)}
          {words('parking.text')}
        </Part>
      )}
      {manual && (
        <Part name="manual">
          {manual.entries.map((entry, index) => (
            <Disclosure key={entry.title} summary={entry.title}>
              {picture(entry)}
              {words(`manual.entries.${index}.text`)}
            </Disclosure>
          ))}
        </Part>
      )}
      {checkout && (
        <Part name="checkout">
          {checkout.items.map(item => (
            <Tick key={item} name={`stay-tick ${stay.startDate} ${item}`} text={item} />
          ))}
        </Part>
      )}
      {contacts && (
        <Part name="contacts">
          {contacts.people.map(({ name, phone, role }) => (
            <Row key={name + phone} title={name} text={role}>
              <Button asChild variant="secondary">
                <a href={`tel:${bareNumber(phone)}`}>{phone}</a>
              </Button>
            </Row>
          ))}
        </Part>
      )}
      {children}
    </div>
  )
}

const Copy = ({ text }: { text: string }) => (
  <Button variant="secondary" onClick={() => void copyText(text, 'Copied')}>
    Copy
  </Button>
)

function CalendarFile({ input, path }: Calendar) {
  const { isPending, mutate } = useMutation({
    mutationFn: async () => saveFile(await fetchFile(path, input), 'stay.ics'),
    onError: error => toastFailure(error, 'Failed to load the calendar file'),
  })
  return (
    <Button
      variant="secondary"
      className="mt-2 justify-self-start"
      busy={isPending}
      busyLabel="Loading..."
      onClick={() => mutate()}
    >
      Add to calendar
    </Button>
  )
}

const mapOf = (address: string) =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`

type WhenProps = Pick<StayViewProps, 'calendar' | 'stay'> & { hereUntil: CalendarDate | undefined }

function When({ calendar, hereUntil, stay }: WhenProps) {
  const { timeZone } = useDay()
  const { checkInAt, checkOutAt, firstName, gate, nights, propertyName } = stay
  const isOnItsWay = gate.missing.every(({ kind }) => kind === 'on_its_way')
  const moment = (iso: string) => formatMoment(iso, timeZone).replace(/ \S+$/, '')
  return (
    <Card aria-label="When">
      <CardBody className="grid gap-1">
        <p className="text-lg font-semibold text-navy">
          {firstName},{' '}
          {hereUntil
            ? `you are here until ${formatShortDate(hereUntil)}`
            : `${plural(nights, 'night')} at ${propertyName}`}
        </p>
        {!hereUntil && <p>Check-in from {moment(checkInAt)}</p>}
        {/* While here, the line above names the day. */}
        <p>Check-out by {hereUntil ? formatMomentTime(checkOutAt, timeZone) : moment(checkOutAt)}</p>
        {calendar && gate.state !== 'closed' && <CalendarFile {...calendar} />}
        {gate.state === 'scheduled' && (
          <Notice className="mt-3" title={`Opens on ${moment(gate.opensAt)}`}>
            Then you see how to get in, and the Wi-Fi.
          </Notice>
        )}
        {gate.state === 'locked' && gate.missing.length === 0 && (
          <p className="mt-2 text-muted">{stayMessages.notOpenYet}</p>
        )}
        {gate.state === 'locked' && gate.missing.length > 0 && (
          <Notice
            className="mt-3"
            tone={isOnItsWay ? 'info' : 'warning'}
            title={isOnItsWay ? 'Opens once your payment has arrived' : 'Still missing before it opens'}
          >
            {gate.missing.map(({ path, text }) => (
              <a key={text} href={path} className="flex min-h-11 items-center link">
                {text}
              </a>
            ))}
          </Notice>
        )}
        {gate.state === 'closed' && (
          <p className="mt-2 text-muted">
            {gate.hold === 'closed' ? stayMessages.notOpen : stayMessages.over}
          </p>
        )}
      </CardBody>
    </Card>
  )
}

function Part({ name, children }: { name: keyof typeof arrivalLabels; children: ReactNode }) {
  return (
    <Card aria-label={arrivalLabels[name]}>
      <CardHeader title={arrivalLabels[name]} />
      <CardBody className="grid gap-3">{children}</CardBody>
    </Card>
  )
}

const Words = ({ blocks = [] }: { blocks: Block[] | undefined }) => (
  <div className="wrap-anywhere *:first:mt-0 empty:hidden">
    {withUniqueKeys(blocks, ({ kind }) => kind).map(({ item, key }) => (
      <BlockText key={key} block={item} />
    ))}
  </div>
)

/** Nothing until its copies are there. */
function Photo({ alt, picture }: { alt: string; picture: PictureView | undefined }) {
  const widths = picture?.webp ?? []
  if (!picture || widths.length === 0) return null
  const { height, path, placeholder, width } = picture
  return (
    <img
      alt={alt}
      className="h-auto w-full rounded-control bg-cover"
      style={{ backgroundImage: `url("${placeholder}")` }}
      loading="lazy"
      sizes="(min-width: 48rem) 40rem, 92vw"
      src={`${path}-${widths[0]}.webp`}
      srcSet={widths.map(width => `${path}-${width}.webp ${width}w`).join(', ')}
      width={width}
      height={height}
    />
  )
}

const shownMs = 60_000

type SecretProps<Shown> = {
  label: string
  /** Another one takes what is shown off the page (STAY-20). */
  version: number
  show: () => Promise<Shown>
  children: (shown: Shown) => ReactNode
}

/** Something secret: asked for by a press, and off the page after a minute (STAY-19). */
function Secret<Shown>({ label, version, show, children }: SecretProps<Shown>) {
  const [shown, setShown] = useState<{ value: Shown; version: number }>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const timer = shown && setTimeout(() => setShown(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [shown])
  if (shown?.version === version) return <output>{children(shown.value)}</output>
  const onPress = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      setShown({ value: await show(), version })
    } catch (error) {
      setProblem(refusalOr(error, 'This could not be shown. Please try again.'))
    }
    setBusy(false)
  }
  return (
    <span className="grid justify-items-end gap-1">
      <Button variant="secondary" busy={busy} busyLabel="Showing..." onClick={() => void onPress()}>
        {label}
      </Button>
      <span role="status" className="text-muted">
        {problem ?? (shown && 'The code has changed. Show it again.')}
      </span>
    </span>
  )
}

/** A line of the list, whose tick stays in this browser. */
function Tick({ name, text }: { name: string; text: string }) {
  const [isDone, setDone] = useState(() => localStorage.getItem(name) !== null)
  const onChange = () => {
    if (isDone) localStorage.removeItem(name)
    else localStorage.setItem(name, 'done')
    setDone(!isDone)
  }
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="checkbox" className="size-5 shrink-0" checked={isDone} onChange={onChange} />
      {text}
    </label>
  )
}

/** Copies a text, and says that it is. */
export async function copyText(text: string, done: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.error('Could not copy. Please select the text instead.')
  }
}
