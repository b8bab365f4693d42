import { useState } from 'react'
import { formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { depositStateLabels } from '../../../../domain/money/deposit-case.ts'
import { objectionForm } from '../../../../domain/money/deposit-input.ts'
import { api } from '../../../api/api.ts'
import { DepositSection, ItemRow, Statements, WentBack } from '../../../features/deposits/deposit-parts.tsx'
import { depositTones, newestStatement, type TenantDeposit } from '../../../features/deposits/deposit-view.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'

/** What became of a tenant's deposit that was paid, and the answer to a statement; without a stay nothing can be claimed. */
export function DepositCard({ deposit, hasNoStay }: { deposit: TenantDeposit; hasNoStay: boolean }) {
  const { items, state, statements } = deposit
  if (state === 'unpaid' && statements.length === 0) return null
  return (
    <Card id="deposit" aria-label="Security Deposit" className="scroll-mt-4">
      <CardHeader
        title="Security Deposit"
        action={
          <Badge tone={hasNoStay && state === 'vacated' ? 'neutral' : (tones[state] ?? depositTones[state])}>
            {labels[state] ?? depositStateLabels[state]}
          </Badge>
        }
      />
      <CardBody className="grid gap-5">
        <div className="grid gap-1">
          {sentencesOf(deposit, hasNoStay).map(sentence => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
        {items.length > 0 && (
          <DepositSection title="Items">
            {items.map(item => (
              <ItemRow key={item.id} item={item} />
            ))}
          </DepositSection>
        )}
        <Statements {...deposit} />
        <Answer deposit={deposit} />
        {/* The Cancellation card lists its own refunds. */}
        <WentBack legs={deposit.legs.filter(({ cause }) => cause !== 'cancellation')} />
      </CardBody>
    </Card>
  )
}

/** Where the owner's word is not the tenant's. */
const labels: Partial<Record<TenantDeposit['state'], string>> = {
  vacated: 'Held',
  claimed: 'Statement sent to you',
  objected: 'You objected',
}

/** Red is the owner's: only they have something to do. */
const tones: Partial<typeof depositTones> = { objected: 'blue' }

/** The state in sentences. */
export function sentencesOf(deposit: TenantDeposit, hasNoStay = false): string[] {
  const { claimedCents, deadline, disputedCents, heldCents, keptCents, onItsWayCents, returnedCents } =
    deposit
  if (deposit.state === 'unpaid') return ['No deposit has been paid.']
  const claim = claimedCents > 0 ? ` and claim ${formatCents(claimedCents)} of it` : ''
  const hold = heldCents > 0 && `We hold ${formatCents(heldCents)}${claim}.`
  const sentences = [
    [hold, deadline && whenBack(deadline, hasNoStay)].filter(Boolean).join(' '),
    deposit.state === 'objected' &&
      `We keep nothing${keptCents > 0 ? ' more' : ''} until we have agreed with you or it is decided.`,
    disputedCents > 0 && `${formatCents(disputedCents)} is disputed with your bank.`,
    onItsWayCents > 0 && `${formatCents(onItsWayCents)} is on its way back to you.`,
    returnedCents > 0 && `${formatCents(returnedCents)} went back to you.`,
    keptCents > 0 && `We kept ${formatCents(keptCents)}.`,
  ]
  return sentences.flatMap(sentence => sentence || [])
}

function whenBack(
  { date, daysLeft, kind }: NonNullable<TenantDeposit['deadline']>,
  hasNoStay: boolean,
): string {
  const isPast = daysLeft < 0
  const day = formatShortDate(date)
  if (kind === 'rest') return `The rest ${isPast ? 'was to go' : 'goes'} back by ${day}.`
  if (hasNoStay) return `It ${isPast ? 'was to go' : 'goes'} back by ${day}.`
  return isPast
    ? `It was to go back, or you were to get a statement, by ${day}.`
    : `It goes back, or you get a statement, by ${day}.`
}

/** Agreeing or objecting to the newest statement, while there is time. */
function Answer({ deposit }: { deposit: TenantDeposit }) {
  const { applicationId, claimedCents, objectionUntil } = deposit
  const [answer, setAnswer] = useState<'agree' | 'object'>()
  const agree = api.deposits.agree.useMutation()
  const statement = newestStatement(deposit)
  const isOpen = statement && !statement.agreedAt && !statement.objection && claimedCents > 0
  const today = useToday()
  if (!isOpen || !objectionUntil || today > objectionUntil) return null
  const close = () => setAnswer(undefined)
  return (
    <div className="grid gap-3">
      <p className="font-semibold text-navy">You can object until {formatShortDate(objectionUntil)}.</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => setAnswer('agree')}>
          I agree
        </Button>
        <Button variant="secondary" onClick={() => setAnswer('object')}>
          I object
        </Button>
      </div>
      {answer === 'agree' && (
        <ConfirmAction
          title={`Do you agree that we keep ${formatCents(claimedCents)}?`}
          body="Then you can no longer object."
          confirmLabel="I agree"
          busyLabel="Sending..."
          action={async () => {
            await agree.mutateAsync({ applicationId, statementId: statement.id })
            return 'You agreed'
          }}
          failedText="Failed to send your answer"
          onClose={close}
        />
      )}
      {answer === 'object' && (
        <ObjectDialog applicationId={applicationId} statementId={statement.id} onClose={close} />
      )}
    </div>
  )
}

type ObjectDialogProps = { applicationId: string; statementId: string; onClose: () => void }

function ObjectDialog({ applicationId, onClose, statementId }: ObjectDialogProps) {
  const object = api.deposits.object.useMutation()
  const form = useZodForm(objectionForm, { statementId, text: '' })
  const submission = useDialogSubmit(form, 'Failed to send your objection', onClose, async typed => {
    await object.mutateAsync({ ...typed, applicationId })
    return 'Objection sent'
  })
  return (
    <FormDialog
      {...submission}
      title="I object"
      description="We get your words at once, and keep nothing until we have agreed with you or it is decided."
      submitLabel="Send"
      busyLabel="Sending..."
    >
      <TextAreaField label="What you object to" required rows={6} {...fieldPropsOf(form)('text')} />
    </FormDialog>
  )
}
