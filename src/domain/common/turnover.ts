export const maxTurnoverNights = 7
