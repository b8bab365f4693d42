/** Key in session storage: the application of the last payment, so that a canceled payment returns to it (LOOK-40). */
export const lastPaidApplicationKey = 'payingFor'
