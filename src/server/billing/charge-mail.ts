/** The mail of a charge that was added; taken back when the charge is voided before it leaves. */
export const chargeMailKey = (chargeId: string): string => `charge-added:${chargeId}`
