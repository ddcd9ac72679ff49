/** Decision buttons. Only texts offer `wording`, which approves an edited text. */
export const CHOICES = [
  ['yes', 'Approve', 'primary'],
  ['wording', 'Approve with changes', 'ghost'],
  ['changes', 'Request changes', 'ghost'],
  ['no', 'Decline', 'ghost'],
] as const;
