/** The largest body, in bytes, of each procedure that may exceed 100 KB. Such a call cannot be part of a batch. */
export const largeCalls = {
  /** A drawn signature in base64. */
  'leases.sign': 2 * 1024 * 1024,
  'addenda.sign': 2 * 1024 * 1024,
  'signing.sign': 2 * 1024 * 1024,
  'signing.countersign': 2 * 1024 * 1024,
  'manualBookings.import': 1024 * 1024,
  /** 60 reviews whose every character takes six bytes as JSON. */
  'editor.saveSection': 1024 * 1024,
  'wordings.save': 1024 * 1024,
  'wordings.preview': 1024 * 1024,
  'wordings.sendSample': 1024 * 1024,
}

export function isLargeCall(name: string): name is keyof typeof largeCalls {
  return Object.hasOwn(largeCalls, name)
}

/** Whether a response can be so long that a batch may contain it only once: hundreds of KB of messages. */
export const isLongAnswer = (name: string): boolean => name === 'conversations.thread'
