export const NOT_AN_ACTION = 'An action must be an object with a type.'
export const NOT_FOR_CLIENTS = 'A client cannot send this action here.'
export const NOT_OPEN = 'There is no open request with this id.'
