import { type ReactNode, useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { z } from 'zod'
import { secondApplicant } from '../../../domain/bookings/application.ts'
import { crossFieldRule } from '../../../domain/bookings/application-form.ts'
import { offerMessages, untilText, whoseTime } from '../../../domain/bookings/claim.ts'
import { type OfferPerson, offerPerson } from '../../../domain/bookings/offer-form.ts'
import { inYear } from '../../../domain/bookings/offer-words.ts'
import { requiredLine } from '../../../domain/common/inputs.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { noBreak } from '../../../domain/common/no-break.ts'
import { plural } from '../../../domain/common/plural.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import type { Outputs } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../forms/zod-form.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { GuestFields } from '../applications/guest-fields.tsx'
import { AddressFields, PhoneField, SecondApplicantFields } from '../applications/person-fields.tsx'
import { useDay } from '../stays/today.ts'
import { PriceLines } from './price-lines.tsx'

type GuestOffer = Outputs['offers']['open']['claim']
export type OfferAnswer = {
  totalCents: number
  depositCents: number
  secureDays: number
  typedName?: string | undefined
  person?: OfferPerson
}

type OfferCardProps = {
  offer: GuestOffer
  /** Whether it came by a link: then accepting needs a typed name, and declining a few words. */
  byLink?: boolean
  accept: (answer: OfferAnswer) => Promise<unknown>
  decline: (reason: string | undefined) => Promise<unknown>
  /** After an answer, also one that was refused: the offer may have changed or ended. */
  reload: () => unknown
  picture?: ReactNode
}

export const isOpen = ({ state }: Pick<GuestOffer, 'state'>) => state === 'open' || state === 'asked'

/** An offer or a promise with its price, and the answer to it in two presses. */
export function OfferCard({ offer, picture, ...answers }: OfferCardProps) {
  const [asked, setAsked] = useState<'accept' | 'decline'>()
  const { timeZone, today } = useDay()
  const site = useSite()
  const title = offer.kind === 'promise' ? `Your dates ${inYear(offer.startDate, today)}` : 'An offer for you'
  const ends = isOpen(offer) && deadline(offer, timeZone)
  const isNamed = answers.byLink && offer.kind === 'offer'
  const props = { ...answers, offer, onClose: () => setAsked(undefined) }
  return (
    <Card aria-label={title} className="overflow-hidden">
      {picture}
      {/* The heading of the page behind a link names it already. */}
      {!isNamed && <CardHeader title={title} />}
      <CardBody className="grid gap-6">
        {(answers.byLink || offer.message) && (
          <div className="grid gap-2">
            {answers.byLink && <p>Hello {offer.firstName},</p>}
            {offer.message ? (
              <>
                <p className="whitespace-pre-line wrap-anywhere">{offer.message}</p>
                <p className="text-muted">{site?.companyName}</p>
              </>
            ) : (
              isNamed && isOpen(offer) && <p>These dates are held for you.</p>
            )}
          </div>
        )}
        <OfferFacts offer={offer} />
        {ends && (
          <p>
            <strong>{noBreak(ends)}</strong> {offer.afterAccepting}
          </p>
        )}
        {isOpen(offer) && (
          <div className="flex flex-wrap gap-3 max-sm:*:grow">
            <Button size="lg" onClick={() => setAsked('accept')}>
              Accept
            </Button>
            <Button size="lg" variant="secondary" onClick={() => setAsked('decline')}>
              No, thank you
            </Button>
          </div>
        )}
        {asked === 'accept' && isOpen(offer) && <AcceptDialog {...props} />}
        {asked === 'decline' && isOpen(offer) && <DeclineDialog {...props} />}
      </CardBody>
    </Card>
  )
}

function deadline({ kind, state, until }: GuestOffer, timeZone: string): string {
  const end = until ? untilText(until, timeZone) : ''
  if (state === 'asked') return `Please answer by ${end}. Then others can book these dates.`
  return kind === 'promise'
    ? `We keep these dates for you until ${end}.`
    : `This offer ends on ${end}${whoseTime(end)}.`
}

function OfferFacts({ offer }: { offer: GuestOffer }) {
  const { endDate: end, guests, nights, startDate: start } = offer
  return (
    <div>
      <p className="text-lg font-semibold text-navy">{formatShortStay({ start, end })}</p>
      <p className="mb-4 text-muted">
        {plural(nights, 'night')}, up to {plural(guests ?? 1, 'guest')}
      </p>
      <PriceLines {...offer} />
    </div>
  )
}

/** Dates and price in a line. */
function offerInShort({ depositCents, endDate: end, startDate: start, totalCents }: GuestOffer): string {
  const deposit = depositCents ? ` plus ${formatCents(depositCents)} deposit` : ''
  return `${formatShortStay({ start, end })}: ${formatCents(totalCents ?? 0)}${deposit}`
}

type AnswerProps = Omit<OfferCardProps, 'picture'> & { onClose: () => void }

const acceptForm = z
  .object({ ...offerPerson.shape, typedName: requiredLine(200, offerMessages.typedName).optional() })
  .superRefine(...crossFieldRule(secondApplicant))
const noAddress = { street: '', city: '', state: '', zipCode: '' }

/** What is still unknown of the person, and by link the typed name. */
function AcceptDialog({ accept, byLink = false, offer, onClose, reload }: AnswerProps) {
  const { guests, needs } = offer
  const asks = (field: (typeof needs)[number]) => needs.includes(field)
  const form = useZodForm(acceptForm, {
    ...(byLink && { typedName: '' }),
    ...(asks('phone') && { phone: '' }),
    ...(asks('address') && { address: noAddress }),
    additionalGuests: [],
    secondApplicantFirstName: '',
    secondApplicantLastName: '',
  })
  const submission = useSubmit(form, 'Your answer could not be saved', async ({ typedName, ...person }) => {
    const answer = {
      totalCents: offer.totalCents ?? 0,
      depositCents: offer.depositCents ?? 0,
      secureDays: offer.secureDays ?? 0,
      ...(needs.length > 0 && { person }),
    }
    await accept({ ...answer, ...(byLink && { typedName }) }).finally(reload)
  })
  return (
    <FormDialog
      {...submission}
      title="Accept this offer"
      description={`This books the dates for you. Nothing is charged now.${byLink ? ' Then you choose a password or log in, and the lease opens.' : ''}`}
      submitLabel={byLink ? 'Accept and continue' : 'Accept and Go to the Lease'}
      busyLabel="Booking..."
      onClose={onClose}
    >
      <FormProvider {...form}>
        {asks('phone') && <PhoneField />}
        {asks('address') && <AddressFields />}
        {asks('additionalGuests') && (
          <>
            <p className="font-semibold text-navy">Who comes with you?</p>
            <SecondApplicantFields />
            <GuestFields maxGuests={guests ?? undefined} />
          </>
        )}
        <p className="font-semibold text-navy">{noBreak(offerInShort(offer))}</p>
        {byLink && (
          <TextField
            label="Type your full name to accept"
            autoComplete="name"
            autoCapitalize="words"
            required
            {...fieldPropsOf(form)('typedName')}
          />
        )}
      </FormProvider>
    </FormDialog>
  )
}

const wordsForm = z.object({ reason: requiredLine(2000, 'Please write a few words.') })
const noWordsForm = z.object({ reason: z.string().trim().max(2000) })

function DeclineDialog({ byLink = false, decline, onClose, reload }: AnswerProps) {
  const form = useZodForm(byLink ? wordsForm : noWordsForm, { reason: '' })
  const submission = useSubmit(form, 'Your answer could not be sent', async ({ reason }) => {
    await decline(reason || undefined).finally(reload)
    toast.success('We have told the owner')
  })
  return (
    <FormDialog
      {...submission}
      title="You do not want this offer?"
      description="We free the dates and read what you write."
      submitLabel="No, thank you"
      busyLabel="Sending..."
      onClose={onClose}
    >
      <TextAreaField
        label={byLink ? 'A few words' : 'A few words (optional)'}
        required={byLink}
        maxLength={2000}
        rows={3}
        {...fieldPropsOf(form)('reason')}
      />
    </FormDialog>
  )
}
