import Stripe from 'stripe'
import { newId } from './ids.ts'
import type { AnyObject, Store } from './store.ts'

/** The dependencies of every provider action. */
export type SandboxContext = { store: Store; now: () => Date; publicOrigin: string }

export function nowSeconds(context: SandboxContext): number {
  return Math.floor(context.now().getTime() / 1000)
}

/** Stores an event with the object's current state and queues its delivery; call it in the action's transaction. */
export function emit(context: SandboxContext, type: Stripe.Event.Type, object: AnyObject): void {
  const event = {
    id: newId('evt_1'),
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: nowSeconds(context),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    type,
  } as Stripe.Event
  context.store.insert(event)
  context.store.queueDelivery(event.id, context.now().getTime())
}
