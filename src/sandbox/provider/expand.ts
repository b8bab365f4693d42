import { ApiError } from './api-error.ts'
import type { SandboxContext } from './events.ts'

type Plain = { [name: string]: unknown }

/** Replaces ids with their objects along each path (`payment_intent.latest_charge`, in lists `data.…`). */
export function expandAll(context: SandboxContext, answer: object, paths: readonly string[]): object {
  const copy = structuredClone(answer)
  for (const path of paths) expandPath(context, copy as Plain, path.split('.'), path)
  return copy
}

function expandPath(context: SandboxContext, target: Plain, [name, ...rest]: string[], path: string): void {
  if (name === undefined) return
  const value = target[name] ?? hiddenList(context, target, name)
  const expanded = typeof value === 'string' ? context.store.findAny(value) : value
  if (expanded === undefined) throw new ApiError(`This property cannot be expanded (${path}).`)
  target[name] = expanded
  for (const next of Array.isArray(expanded) ? expanded : [expanded]) {
    if (typeof next === 'object' && next !== null) expandPath(context, next as Plain, rest, path)
  }
}

/** A property, or a session's line items, which are included only when expanded. */
function hiddenList(context: SandboxContext, target: Plain, name: string): unknown {
  const isLineItems = target.object === 'checkout.session' && name === 'line_items'
  return isLineItems ? lineItemsOf(context, String(target.id)) : target[name]
}

export function lineItemsOf({ store }: SandboxContext, sessionId: string) {
  return listObject(`/v1/checkout/sessions/${sessionId}/line_items`, store.details(sessionId).lineItems)
}

export function listObject(url: string, data: readonly object[], hasMore = false) {
  return { object: 'list', data, has_more: hasMore, url }
}
