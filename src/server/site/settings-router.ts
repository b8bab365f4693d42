import { z } from 'zod'
import { messagesSection, reviewsSection, staySection } from '../../domain/arrival/stay-settings.ts'
import { bookingRulesFormFor, bookingRulesSection } from '../../domain/bookings/booking-rules-form.ts'
import { cancellationSection } from '../../domain/bookings/cancellation.ts'
import { offersSection } from '../../domain/bookings/offer-form.ts'
import { calendarSection, type Section, sectionVersion } from '../../domain/content/settings-section.ts'
import { signingSection } from '../../domain/leases/signing-input.ts'
import { cardFeeSection } from '../../domain/money/card-fee.ts'
import { depositSection } from '../../domain/money/deposit-input.ts'
import { bankSection, planSection } from '../../domain/money/payment-plan-form.ts'
import { adminProcedure, checked, router, validateWithGuestLimit } from '../kernel/trpc.ts'
import { saveDeposit, saveGuestTerms } from './save-deposit.ts'
import { readSection, saveSection } from './settings.ts'

export const settingsRouter = router({
  bookingRules: sectionRouter(bookingRulesSection, 'the booking rules', { formFor: bookingRulesFormFor }),
  deposit: sectionRouter(depositSection, 'the security deposit of new leases', {
    stepUp: 'always',
    save: saveDeposit,
  }),
  cancellation: sectionRouter(cancellationSection, 'what goes back when a tenant cancels'),
  calendar: sectionRouter(calendarSection, 'the nights that stay free between bookings'),
  signing: sectionRouter(signingSection, 'who signs leases by an own link'),
  offers: sectionRouter(offersSection, 'how long offers and promises stand'),
  plan: sectionRouter(planSection, 'how new leases are paid', { stepUp: 'always' }),
  cardFee: sectionRouter(cardFeeSection, 'the fee on top of card payments', { stepUp: 'always' }),
  messages: sectionRouter(messagesSection, 'whether guests can write messages here'),
  reviews: sectionRouter(reviewsSection, 'whether guests can write reviews'),
  stay: sectionRouter(staySection, 'when guests see their arrival information', { stepUp: 'always' }),
  bank: sectionRouter(bankSection, 'whether tenants can pay from a bank account', { stepUp: 'always' }),
})

type SectionOptions<Schema extends z.ZodType<object>> = {
  formFor?: (guestLimit: number) => z.ZodType
  stepUp?: 'always' | 'never'
  save?: typeof saveGuestTerms<Schema>
}

/**
 * Procedures to read and save a section; `what` names it in the documentation. `formFor` adds the rules that depend on
 * how many people the property sleeps. Sections that change what guests pay, or when they see
 * codes, require a step-up.
 */
function sectionRouter<Name extends string, Schema extends z.ZodType<object>>(
  section: Section<Name, Schema>,
  what: string,
  options: SectionOptions<Schema> = {},
) {
  const { formFor = () => section.body, stepUp = 'never' } = options
  type Saved = { version: number; body: z.output<Schema> }
  type Change = { version: number; body: z.input<Schema> }
  // TypeScript cannot infer an object schema with a generic part.
  const answer = z.strictObject({
    version: sectionVersion,
    body: section.body,
  }) as unknown as z.ZodType<Saved>
  const change = z.object({ version: sectionVersion, body: section.body }) as unknown as z.ZodType<
    Saved,
    Change
  >
  const save = options.save ?? (stepUp === 'always' ? saveGuestTerms : saveSection)
  return router({
    get: adminProcedure
      .meta({ summary: `Read ${what}`, rest: [`GET /api/setup/admin/${section.name}`] })
      .output(checked(answer))
      .query(({ ctx }) => readSection(ctx.deps.db, section)),
    save: adminProcedure
      .meta({
        summary: `Save ${what}; refused if it has changed since`,
        rest: [`PUT /api/setup/admin/${section.name}`],
        stepUp,
      })
      .use(validateWithGuestLimit(limit => z.object({ version: sectionVersion, body: formFor(limit) })))
      .input(change)
      .output(checked(answer))
      .mutation(({ ctx, input }) => save(ctx.deps, ctx.actor, section, input)),
  })
}
