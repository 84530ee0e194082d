/** What `deploy/` gives a node: everything that is measured has it, the bare ones and other people's too. */
export const asDeployed = ['--max-semi-space-size=64']
