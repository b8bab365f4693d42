import Stripe from 'stripe'
import { newId } from './ids.ts'
import type { AnyObject, Store } from './store.ts'

/** What every action of the provider needs. */
export type Box = { store: Store; now: () => Date; publicOrigin: string }

export function nowSeconds(box: Box): number {
  return Math.floor(box.now().getTime() / 1000)
}

/** Stores an event about the object as it is now and queues its delivery; call inside the action's transaction. */
export function emit(box: Box, type: Stripe.Event.Type, object: AnyObject): void {
  const event = {
    id: newId('evt_1'),
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: nowSeconds(box),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  } as Stripe.Event
  box.store.insert(event)
  box.store.queueDelivery(event.id, box.now().getTime())
}
