// The language comes first: the elements take it when they are defined.
import './language.js'
import '../index.js'
