import { Check, Minus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { forgotForm } from '../../../../domain/accounts/account.ts'
import type { OpeningLine } from '../../../../domain/content/opening.ts'
import { formatBasisPoints } from '../../../../domain/money/charge.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useSite } from '../../../api/site.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { openSettings } from '../../../routing/open-settings.ts'
import { paths } from '../../../routing/paths.ts'
import { RedirectTo } from '../../../routing/redirect-to.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useBoard } from './notice-board.tsx'

type Opening = Outputs['opening']['get']
type Line = Opening['lines'][number]

/** What is left to do for a new site, while it is not open yet, or while it is. Gone once nothing is left. */
export function OpeningCard({ whenOpen }: { whenOpen: boolean }) {
  const { data } = api.opening.get.useQuery()
  if (data?.installing) return <RedirectTo to={paths.install} />
  if (data?.open !== whenOpen || (whenOpen && leftOf(data).length === 0)) return null
  return <Opening opening={data} />
}

/** What is not done; of an open site also what is still an example, until it is replaced or kept. */
const leftOf = ({ examples, lines, open }: Opening) =>
  lines.filter(({ key, state }) => state === 'open' || (open && key === 'content' && examples.length > 0))

function Opening({ opening }: { opening: Opening }) {
  const left = leftOf(opening)
  const unreachable = useUnreachable(!opening.open)
  const done = opening.lines.length - left.length
  const count = opening.lines.length + (unreachable ? 1 : 0)
  const isListed = (line: Line) =>
    left.includes(line) || (line.key === 'content' && opening.examples.length > 0)
  const isNeeded = ({ required, state }: Line) => required && state === 'open'
  const listed = opening.lines.filter(isListed)
  const needed = listed.filter(isNeeded)
  const folded = opening.lines.filter(line => !opening.open && !isListed(line))
  const title = opening.open ? 'Finish your site' : 'Open your site'
  return (
    <Card aria-label={title}>
      <CardHeader
        title={`${title} (${done} of ${count})`}
        subtitle={
          opening.open
            ? 'Visitors see your site. These are left.'
            : 'Until you open it, visitors see your name and contact, and nothing else.'
        }
        action={
          !opening.open && (
            <OpenButton missing={opening.missing.length && needed.length + (unreachable ? 1 : 0)} />
          )
        }
      />
      <CardBody>
        <ul className="divide-y divide-line">
          {needed.map((line, index) => (
            <LineRow key={line.key} line={line} opening={opening} isNext={index === 0} />
          ))}
          {unreachable && (
            <Item label={unreachable.title} isNeeded text={unreachable.detail}>
              <Button asChild size="sm" variant="secondary">
                <Link href={paths.thisInstallation}>See how</Link>
              </Button>
            </Item>
          )}
          {listed
            .filter(line => !isNeeded(line))
            .map(line => (
              <LineRow key={line.key} line={line} opening={opening} isNext={false} />
            ))}
        </ul>
        {folded.length > 0 && (
          <Disclosure summary={`${folded.length} done`}>
            <ul className="divide-y divide-line">
              {folded.map(line => (
                <LineRow key={line.key} line={line} opening={opening} isNext={false} />
              ))}
            </ul>
          </Disclosure>
        )}
      </CardBody>
    </Card>
  )
}

/** The notice of a site that only its own machine can open. Opening it is possible, but no guest sees it. */
const useUnreachable = (enabled: boolean) =>
  useBoard(enabled).data?.notices.find(({ id }) => enabled && id === 'local-address')

function OpenButton({ missing }: { missing: number }) {
  const utils = api.useUtils()
  const open = api.opening.open.useMutation({
    onSuccess: () => {
      toast.success('Your site is open')
      void utils.invalidate()
    },
    onError: error => toastFailure(error, 'Failed to open the site'),
  })
  if (missing > 0) return <p className="text-muted">{missing} needed before guests see it</p>
  return (
    <Button busy={open.isPending} busyLabel="Opening..." onClick={() => open.mutate()}>
      Open the site
    </Button>
  )
}

type LineRowProps = { line: Line; opening: Opening; isNext: boolean }

function LineRow({ isNext, line, opening: { examples, open, trial } }: LineRowProps) {
  const note = useNote(line, examples)
  const isTrial = line.key === 'trial' && trial !== null
  const { button, label, place, sentence } = isTrial ? trialTexts(trial) : texts[line.key]
  const isOpen = line.state === 'open'
  return (
    <Item
      label={
        <>
          {isOpen || !place ? (
            label
          ) : (
            <Link href={place} className="underline-offset-4 hover:underline">
              {label}
            </Link>
          )}
          {line.state === 'done' && !open && (
            <Check aria-label="Done" className="ml-2 inline size-5 text-green" />
          )}
          {line.state === 'declined' && (
            <Minus aria-label="Not for me" className="ml-2 inline size-5 text-muted" />
          )}
        </>
      }
      isNeeded={isOpen && line.required}
      text={isOpen ? sentence : note}
    >
      {isOpen && !line.required && !isTrial && <DeclineButton line={line} declined label="Not for me" />}
      {line.state === 'done' && open && <DeclineButton line={line} declined label="Keep them" />}
      {line.state === 'declined' && <DeclineButton line={line} declined={false} label="Undo" />}
      {isOpen &&
        (place ? (
          <Button asChild size="sm" variant={isNext ? 'primary' : 'secondary'}>
            <Link href={place}>{button}</Link>
          </Button>
        ) : (
          button
        ))}
    </Item>
  )
}

type ItemProps = { label: ReactNode; isNeeded: boolean; text: string | undefined; children: ReactNode }

function Item({ children, isNeeded, label, text }: ItemProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 grow basis-56">
        <p className="font-semibold text-navy">
          {label}
          {isNeeded && (
            <Badge tone="yellow" className="ml-2">
              Needed
            </Badge>
          )}
        </p>
        {text && <p className="text-[0.9375rem] wrap-anywhere text-muted">{text}</p>}
      </div>
      <div className="flex flex-wrap gap-2 empty:hidden max-sm:w-full">{children}</div>
    </li>
  )
}

/** What the owner should know of a line that is done. */
function useNote({ key, state }: Line, examples: readonly string[]): string | undefined {
  const site = useSite()
  if (state !== 'done') return undefined
  if (key === 'content' && examples.length > 0)
    return `Still our examples: ${examples.join(', ')}. Read or replace them, and the lease under Documents.`
  if (key === 'payments' && site?.cardPayments)
    return site.cardFeeBasisPoints > 0
      ? `By card. Guests pay a card fee of ${formatBasisPoints(site.cardFeeBasisPoints)}, which you can change.`
      : 'By card, without a card fee.'
  return undefined
}

function DeclineButton({ line, declined, label }: { line: Line; declined: boolean; label: string }) {
  const utils = api.useUtils()
  const decline = api.opening.decline.useMutation({
    onSuccess: now => utils.opening.get.setData(undefined, now),
    onError: error => toastFailure(error, 'Failed to save'),
  })
  return (
    <Button
      size="sm"
      variant="ghost"
      className="max-sm:order-last"
      busy={decline.isPending}
      aria-label={`${label}: ${texts[line.key].label}`}
      onClick={() => decline.mutate({ key: line.key, declined })}
    >
      {label}
    </Button>
  )
}

/** With a `place`, the button's text. */
type LineTexts = { label: string; sentence: string; place?: string; button: ReactNode }

const texts: Record<OpeningLine, LineTexts> = {
  contact: {
    label: 'Name and contact',
    sentence: 'Who rents the condo, where it is, and how guests reach you.',
    place: paths.adminNameAndContact,
    button: 'Enter',
  },
  content: {
    label: 'Words and pictures',
    sentence: 'The page, the terms and the lease are examples. Put in your own words and pictures.',
    place: paths.adminSite,
    button: 'Edit the page',
  },
  reviews: {
    label: 'Reviews',
    sentence: 'What your guests wrote, or none.',
    place: `${paths.adminSite}#reviews`,
    button: 'Edit reviews',
  },
  prices: {
    label: 'Prices and deposit',
    sentence: 'At least one season with a price.',
    place: paths.adminRates,
    button: 'Add prices',
  },
  stayRules: {
    label: 'Stay rules',
    sentence: 'How long, how early and from which days guests can stay.',
    place: paths.adminStayRules,
    button: 'Set rules',
  },
  taxes: {
    label: 'Taxes',
    sentence: 'What state and county charge for a stay.',
    place: paths.adminTaxes,
    button: 'Add taxes',
  },
  payments: {
    label: 'How guests pay',
    sentence: 'By card, with a card fee of your choice, by bank, or another way that you describe.',
    place: paths.adminHowGuestsPay,
    button: 'Set up payments',
  },
  mail: {
    label: 'Email',
    sentence: 'Without a mail server nobody can be invited or reset a password.',
    place: paths.adminServer,
    button: 'Set up email',
  },
  calendars: {
    label: 'Airbnb and others',
    sentence: 'So that no night is booked twice.',
    place: paths.adminCalendars,
    button: 'Connect',
  },
  account: {
    label: 'Protect your account',
    sentence: 'Ask for a second step when you log in.',
    button: (
      <Button size="sm" variant="secondary" onClick={() => openSettings('security')}>
        Set up
      </Button>
    ),
  },
  trial: {
    label: 'Try it as a guest',
    sentence: 'See the site as visitors will see it, and apply once yourself.',
    button: (
      <>
        <PreviewButton />
        <ApplyButton />
      </>
    ),
  },
}

/** Opens the site with the draft in a window of its own. */
function PreviewButton() {
  const utils = api.useUtils()
  const preview = api.editor.previewLink.useMutation()
  const show = async () => {
    // Opened right after the click: later, browsers block it as a pop-up.
    const tab = window.open('about:blank', '_blank')
    if (tab) tab.document.body.textContent = 'Opening… If asked, confirm in the other tab that it is you.'
    try {
      const { url } = await preview.mutateAsync()
      tab?.location.replace(url)
      void utils.opening.invalidate()
    } catch (error) {
      tab?.close()
      toastFailure(error, 'Failed to open the preview')
    }
  }
  return (
    <Button size="sm" variant="secondary" busy={preview.isPending} onClick={() => void show()}>
      See the site
    </Button>
  )
}

/** Mails the owner's second address a link to an account that may apply before the site is open. */
function ApplyButton() {
  const utils = api.useUtils()
  const [isAsked, setIsAsked] = useState(false)
  const start = api.opening.startTrial.useMutation()
  const form = useZodForm(forgotForm, { email: '' })
  const submission = useSubmit(form, 'Failed to start the trial', async values => {
    utils.opening.get.setData(undefined, await start.mutateAsync(values))
    toast.success('The link is on its way', `To ${values.email}`)
  })
  return (
    <>
      <Button size="sm" variant="secondary" onClick={() => setIsAsked(true)}>
        Apply as a guest
      </Button>
      {isAsked && (
        <FormDialog
          {...submission}
          title="Apply as a guest"
          description="You get a link by email. Open it in a private window, choose a password, and apply like a guest. What you make counts in no figure, and you remove it here."
          submitLabel="Send the link"
          busyLabel="Sending..."
          onClose={() => setIsAsked(false)}
        >
          <TextField
            label="A second email of yours"
            type="email"
            inputMode="email"
            autoComplete="off"
            required
            {...fieldPropsOf(form)('email')}
          />
        </FormDialog>
      )}
    </>
  )
}

const trialTexts = (email: string): LineTexts => ({
  label: 'Try it as a guest',
  sentence: `${email} has a link to apply. Remove the trial when you are done: until then its nights are taken.`,
  button: <RemoveTrialButton />,
})

function RemoveTrialButton() {
  const [isAsked, setIsAsked] = useState(false)
  const remove = api.opening.removeTrial.useMutation()
  return (
    <>
      <Button size="sm" variant="secondary" onClick={() => setIsAsked(true)}>
        Remove trial
      </Button>
      {isAsked && (
        <ConfirmAction
          title="Remove the trial?"
          body="Its application is deleted and its account closed. If it paid with a real card, refund that first."
          confirmLabel="Remove trial"
          busyLabel="Removing..."
          failedText="Failed to remove the trial"
          action={async () => {
            await remove.mutateAsync()
            return 'Trial removed'
          }}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  )
}
