/*!
This file contains:

*/
var m=new Set(h(`
am an and any are as at be been being by can cannot cant did do does doesnt dont find for from get getting has have
how if im in is it just make many me mean my need no not of off on one only or our out over please should so some that the
there this to too us use using want was we what whats when where which who why will with would you your
`)),v=new Set(h(`
api call code data endpoint error fail field header http list message name parameter pet provide request
response return server statuscode support type url value
`).map(p));function h(t){return t.trim().split(/\s+/)}function g(t){if(v.has(p(t)))return 0.4;return/^[45]\d\d$/.test(t)?1.5:1}var k=`
add create insert post new save
address url endpoint path route host
again repeat retry resend
authentication authorization auth login signin credential password
ban block blacklist unban unblock
bulk batch multiple
client library sdk package wrapper
compress gzip
console dashboard portal admin
day daily
delete remove destroy erase
deprecate obsolete sunset eol discontinue
duplicate twice double
error failure failed exception problem
example sample demo snippet
expire expiry lifetime ttl
fake mock dummy
get fetch read retrieve show view lookup
https tls ssl certificate cert
image photo picture avatar
integer int int64 bigint long number
key token secret credential
large big huge
left remaining
limit quota throttle cap
list all
malformed syntax parse
log trace debug correlationid
maximum max largest limit
order buy purchase checkout cart
outage down downtime maintenance uptime
page pagination cursor
permission scope role privilege
pet animal
plan tier subscription
price cost pay billing refund
require mandatory
revoke suspend disable deactivate
rotate renew regenerate
schema model
search find filter query
size length long
sort order
staging sandbox test
start begin tutorial quickstart guide
status state availability
support help contact
time date timestamp clock epoch
update edit modify patch put replace rename overwrite upsert
version semver
wait delay backoff
webhook event notify notification callback
`.trim().split(`
`);function d(t){return(t.match(/[\p{L}\p{N}_-]*[\p{L}\p{N}]/gu)??[]).map((n)=>{let s=n.split(/^[xX]-|[_-]+|(?<=[a-z])(?=[A-Z])/).filter((e)=>e!=="");return(s.length>1?[s.join(""),...s]:s).map((e)=>e.toLowerCase())})}function p(t){return`${t.replace(/^([a-z]{3,}?)(?:abil|abl|at(?=[ei])|ed|enc|ent|ing|ion|ity|ment|e|i|s|y)+$/,"$1").replace(/([a-z])\1$/,"$1")}-`}var O=Map.groupBy(k.flatMap((t)=>t.split(" ").map((n)=>({stem:p(n),line:t}))),({stem:t})=>t);function y(t){return(O.get(p(t))??[]).flatMap(({line:s})=>s.split(" "))}function u(t,n,s){if(t===n)return!0;let[o,e]=[t.slice(1),n.slice(1)];if(t[0]===n[0])return u(o,e,s);if(s===0)return!1;let a=t.slice(1,2)+t.slice(0,1)+t.slice(2);return[[o,n],[t,e],[o,e],[a,n]].some(([r,c])=>u(r,c,s-1))}var E=12,T=0.25,N=0.5;function z(t){let n=b(t);return(s)=>n(s).map(({text:o,...e})=>{let i=`${e.title}: ${o}`.split(/(?<=[.,:;]) /).map((c)=>({...e,title:"",words:"",text:c})),r=o.indexOf(b(i)(s)[0]?.text??"");return{...e,text:r>0?`… ${o.slice(r)}`:o}})}function b(t){let n=_(t);return(s)=>{let o=new Map(t.map((a)=>[a,0]));for(let a of I(s,n)){let i=s.toLowerCase().endsWith(a),r=new Map;for(let[l,f]of Y(a,i,n))for(let[x,M]of n.get(l)??[])S(r,x,M*f);let c=Math.log(1+t.length/r.size);for(let[l,f]of r)o.set(l,(o.get(l)??0)+f*c*g(a))}let e=Math.max(...o.values());return[...o].filter(([,a])=>a>e*T).sort(([,a],[,i])=>i-a).slice(0,E).map(([a])=>a)}}function _(t){let n=new Map,s=(e,a,i)=>{for(let r of[e,p(e)]){let c=n.get(r)??new Map;S(c,a,i),n.set(r,c)}},o=(e,a,i)=>{for(let r of e){s(r,a,i);for(let c of y(r))s(c,a,i*N)}};for(let e of t)for(let a of[e.title,...e.words.split(" "),e.text]){let i=d(a),r=1/Math.sqrt(i.length);for(let[c="",...l]of i)o([c],e,r),o(l,e,r/Math.sqrt(l.length))}return n}function S(t,n,s){t.set(n,Math.max(s,t.get(n)??0))}function I(t,n){let s=t.replace(/\/v1\b/,"").replace(/(\/\w+)s\/\S+/,"$1"),o=d(s).flat().filter((r)=>!/^(?:an?|the|my|your)$/.test(r)),e=o.filter((r)=>!/^(?:.|\d\d)$/.test(r)&&!m.has(r)),a=e.filter((r)=>g(r)>=1),i=[2,3].flatMap((r)=>[...w(o,r),...w(a,r)]);return[...(e.length>0?e:o).flatMap((r)=>R(r,n)),...new Set(i.flatMap((r)=>r.find((c)=>n.has(c))??[]))]}function w(t,n){return t.slice(n-1).map((s,o)=>{let e=t.slice(o,o+n-1).join("");return[e+s,p(e+s)].filter((a)=>a.length>e.length+1)})}function R(t,n){if(n.has(t)||n.has(p(t)))return[t];for(let s=3;s<t.length-1;s++){let o=[t.slice(0,s),t.slice(s)];if(o.every((e)=>n.has(e)))return o}return[t]}function Y(t,n,s){let o=p(t),e=(i)=>(r)=>t.length>4*i&&u(t,r,i),a=[[0.9,(i)=>i===t||i===o],[0.8,(i)=>n&&i.startsWith(t)],[0.8,e(1)],[0.4,e(2)]];for(let[i,r]of a){let c=[...s.keys()].filter(r);if(c.length>0)return c.flatMap((l)=>[[l,l===t?1:i],[p(l),i]])}return[]}export{z as newSearch};
