/** Key prefix of all queries that read figures, including those of meetings. */
export const FIGURES_KEY = ['figures'];
