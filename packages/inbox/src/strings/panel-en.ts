/** The texts of what is opened now and then: the form of a rule, and the page about oneself. In English. */
export const panelEn = {
  alwaysAllow: 'Always allow this',
  ruleSentence: (tool: string, server: string, hasArguments: boolean, until: string): string =>
    `Until ${until}, ${tool} of ${server} ${
      hasArguments ? 'with exactly these arguments' : 'with any arguments'
    } counts as accepted by you, without asking you.`,
  ruleDestructive: 'This tool can delete or overwrite things, and the rule says that it may.',
  ruleWhere:
    'It counts where you are asked by name or through a group, and a rule for the whole desk that asks or denies beats it.',
  scope: 'Which calls',
  theseArguments: 'With exactly these arguments',
  anyArguments: 'With any arguments',
  until: 'For how long',
  days: (days: number): string => (days === 1 ? 'One day' : `${days} days`),
  trying: 'Looking at past calls…',
  tried: (matched: number, looked: number): string =>
    `Of the ${looked} calls of the last seven days that you were asked about, it would have accepted ${matched}.`,
  make: 'Allow from now on, and accept',
  making: 'Saving…',
  cancel: 'Cancel',
  unreachable: 'The desk could not be reached. Nothing was changed.',
  you: 'You',
  youAre: (name: string): string => `You are ${name}`,
  anyone: 'Everyone who opens the link of this desk is the same person here.',
  role: (role: string): string => ({ admin: 'Administrator', auditor: 'Auditor' })[role] ?? 'Member',
  groups: (groups: string): string => `In ${groups}`,
  signOut: 'Sign out',
  cannotSignOut: 'You are signed in elsewhere, and sign out there.',
  rules: 'What you always allow',
  noRules: 'Nothing. “Always allow this” beside an ask makes a rule.',
  ruleOf: (tool: string, server: string): string => `${tool} of ${server}`,
  ruleUntil: (until: string): string => `until ${until}`,
  revoke: 'Revoke',
  revokeRule: (rule: string): string => `Revoke: ${rule}`,
  revoked: 'It is revoked: you are asked again.',
  loading: 'Loading…',
  close: 'Close',
}

export type PanelStrings = typeof panelEn
