export const defaultMinStayNights = 30
