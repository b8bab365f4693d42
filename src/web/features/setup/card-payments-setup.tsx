import { useState } from 'react'
import { z } from 'zod'
import { stripeChange } from '../../../domain/content/connections.ts'
import { api, type Outputs } from '../../api/api.ts'
import { refusalOr } from '../../api/failures.ts'
import { useFormSubmit } from '../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../forms/zod-form.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { DecidedElsewhere, FormEnd, type SetupProps, useSecretWords } from './setup-parts.tsx'

type Cards = Outputs['setup']['stripe']

/** The keys of card payments, and what the site made of them (INST-19). */
export function CardPaymentsSetup({ onDone }: SetupProps) {
  const query = api.setup.stripe.useQuery()
  return (
    <QueryView
      query={query}
      loading="Loading card payments..."
      error="Failed to load the settings of card payments"
    >
      {cards =>
        cards.source === 'here' ? (
          <OwnCards cards={cards} onDone={onDone} />
        ) : (
          <DecidedElsewhere source={cards.source} demo="Card payments can be tried out: no money moves." />
        )
      }
    </QueryView>
  )
}

function OwnCards({ cards, onDone }: SetupProps & { cards: Cards }) {
  const [isEditing, setEditing] = useState(false)
  const secretWords = useSecretWords()
  const { body, isLive, on, secrets, version, webhook } = cards
  const needsSecret = version > 0 && (!secrets.webhookSecret.set || secrets.webhookSecret.isLost)
  const close = () => setEditing(false)
  if (isEditing || version === 0)
    return (
      <CardsForm cards={cards} onSaved={close} onDone={onDone} onCancel={version > 0 ? close : undefined} />
    )
  return (
    <div className="grid gap-6">
      {on && <Notice tone="success" title="Card payments are on" />}
      <DefinitionList
        items={[
          { label: 'Account', value: body.account || 'Unknown: the key may not read it' },
          {
            label: 'Mode',
            value: <Badge tone={isLive ? 'green' : 'yellow'}>{isLive ? 'Live' : 'Test'}</Badge>,
          },
          { label: 'Publishable key', value: body.publishableKey },
          { label: 'Secret key', value: secretWords(secrets.secretKey) },
          { label: 'Webhook secret', value: secretWords(secrets.webhookSecret) },
        ]}
      />
      {needsSecret && /^https?:\/\/(localhost|127\.|\[::1\])/.test(webhook.url) && (
        <Notice tone="warning" title="Stripe cannot reach this address">
          {webhook.url} works on this machine only. Turn card payments on once the site has a public address.
        </Notice>
      )}
      {needsSecret && (
        <Notice tone="warning" title="Stripe has to tell the site about payments">
          <p>
            Stripe did not let the site set that up. In the Stripe Dashboard, under Webhooks, add an endpoint
            with this address and these events, and enter its signing secret below.
          </p>
          <p className="mt-2 font-mono text-sm">{webhook.url}</p>
          <p className="mt-2 font-mono text-sm">{webhook.events.join(', ')}</p>
        </Notice>
      )}
      {needsSecret && <CardsForm cards={cards} onSaved={close} onDone={onDone} asksSecret />}
      <div>
        <Button size="sm" variant="secondary" onClick={() => setEditing(true)}>
          Change keys
        </Button>
      </div>
    </div>
  )
}

const form = stripeChange.shape.body.extend({
  secrets: z.object({ secretKey: z.string(), webhookSecret: z.string() }),
})
type Values = z.input<typeof form>

type CardsFormProps = SetupProps & {
  cards: Cards
  onSaved: () => void
  onCancel?: (() => void) | undefined
  /** Asks only for the secret of an endpoint that the owner made. */
  asksSecret?: boolean
}

function CardsForm({ cards, onSaved, onDone, onCancel, asksSecret = false }: CardsFormProps) {
  const utils = api.useUtils()
  const save = api.setup.saveStripe.useMutation()
  const { publishableKey } = cards.body
  const zodForm = useZodForm<Values, z.output<typeof form>>(form, {
    publishableKey,
    secrets: { secretKey: '', webhookSecret: '' },
  })
  const field = fieldPropsOf(zodForm)
  const { busy, formError, submit } = useFormSubmit(
    zodForm,
    async ({ secrets, ...body }) => {
      const typed = Object.fromEntries(Object.entries(secrets).filter(([, secret]) => secret !== ''))
      const saved = await save.mutateAsync({ version: cards.version, body, secrets: typed })
      utils.setup.stripe.setData(undefined, saved)
      onSaved()
      await utils.invalidate()
      if (!saved.on) return
      toast.success('Card payments are on')
      onDone?.()
    },
    (error, isAtField) => (isAtField ? undefined : refusalOr(error, 'Failed to save the keys')),
  )
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {asksSecret ? (
        <PasswordField
          className="max-w-md"
          label="Signing secret of the endpoint"
          autoComplete="off"
          {...field('secrets.webhookSecret')}
        />
      ) : (
        <>
          <p className="text-muted">
            Both keys are in the Stripe Dashboard, under Developers, API keys. The site sets up the rest
            itself.
          </p>
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              label="Publishable key"
              required
              autoComplete="off"
              hint="Begins with pk_live_, or with pk_test_ to try it without money"
              {...field('publishableKey')}
            />
            <PasswordField
              label="Secret key"
              required={!cards.secrets.secretKey.set}
              autoComplete="off"
              hint={cards.secrets.secretKey.set ? 'Empty keeps the saved one' : 'Begins with sk_'}
              {...field('secrets.secretKey')}
            />
          </div>
        </>
      )}
      <FormEnd
        error={formError}
        busy={busy}
        busyLabel="Connecting..."
        label={asksSecret ? 'Save secret' : 'Save keys'}
        onCancel={onCancel}
      />
    </form>
  )
}
