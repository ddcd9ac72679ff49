/** Decision buttons. Only texts offer `wording`, which approves an edited text. */
export const CHOICES = [
  ['yes', 'Approve', 'primary'],
  ['wording', 'Approve with changes', 'secondary'],
  ['changes', 'Request changes', 'secondary'],
  ['no', 'Decline', 'ghost'],
] as const;
