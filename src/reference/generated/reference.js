/*!
This file contains:

preact 11.2.0

The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
var y,Ge,an,I,Se,re,Je,Z,Ke,xe,ve,ln,F=Symbol.for("pv"),oe={},se=[],un=/^m(i|n|o|s|text|space)$/,Ee=Array.isArray,Ye=se.slice,q=Object.assign;function M(e){e&&e.parentNode&&e.remove()}function ee(e,t,n,r,o){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:F,__v:o||++Ge,__i:-1,__u:0};return!o&&y.vnode&&y.vnode(s),s}function A(e){return e.children}function te(e,t){this.props=e,this.context=t,this.__g=0}function O(e,t){if(t==null)return e.__&&O(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:O(e)}function cn(e){var t,n=e.__v,r=n.__e,o=[],s=[],i=e.__P;i&&((t=q({constructor:F},n)).__v=n.__v+1,y.vnode&&y.vnode(t),we(i,t,n,e.__n,i.namespaceURI,32&n.__u?[r]:null,o,r||O(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,et(o,t,s),n.__=n.__e=null,t.__e!=r&&We(t))}function We(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),We(e)}function je(e){(8&e.__g||(e.__g|=8,I.push(e),re++))&&Se==y.debounceRendering||((Se=y.debounceRendering)||queueMicrotask)(ze)}function ze(){try{for(var e,t=1;I.length;)I.length>t&&I.sort(Je),e=I.shift(),t=I.length,8&e.__g&&cn(e)}finally{(re=I.length)&&(Se||queueMicrotask)(ze)}}function Xe(e,t,n,r,o,s,i,l,p,_,u){var g,d,a,f,b,m,S=r.__k||se,h=t.length;for(p=pn(n,t,S,p,h),g=0;g<h;g++)(a=n.__k[g])!=null&&(d=~a.__i&&S[a.__i]||oe,a.__i=g,m=we(e,a,d,o,s,i,l,p,_,u),f=a.__e,(d.ref!=a.ref||8&d.__u)&&(d.ref&&Ae(d.ref,null,a,d),a.ref&&u.push(a.ref,a.__c||f,a)),b=b||f,4&a.__u?(p=Qe(a,p,e,!d.__v),d.__e&&(d.__e=null)):typeof a.type=="function"&&m!==void 0?p=m:f&&(p=f.nextSibling),a.__u&=-21);return n.__e=b,p}function pn(e,t,n,r,o){var s,i,l,p,_,u,g,d,a,f=n.length,b=f,m=0,S=0,h=e.__k=Array(o);for(s=0;s<o;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=h[s]=ee(null,i):Ee(i)?i=h[s]=ee(A,{children:i}):i.constructor===F&&i.__b?i=h[s]=ee(i.type,i.props,i.key,i.ref,i.__v):h[s]=i,p=s+m,i.__=e,i.__b=e.__b+1,l=null,~(_=i.__i=dn(i,n,p,b))&&(b--,(l=n[_])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,_==p-1?m--:_==p+1?m++:_!=p&&(_>p?m--:m++,S=1)):(~_||(o>f?m--:o<f&&m++),typeof i.type!="function"&&(i.__u|=4))):h[s]=null;if(S){for(u=[],g=[],s=0;s<o;s++)if((i=h[s])&&16&i.__u){for(m=0,d=u.length;m<d;)u[a=m+d>>1]<i.__i?m=a+1:d=a;u[m]=i.__i,g[s]=m+1}for(m=u.length;s--;)g[s]&&(g[s]==m?m--:h[s].__u|=4)}if(b)for(s=0;s<f;s++)!(l=n[s])||2&l.__u||(l.__e==r&&(r=O(l)),Te(l,l));return r}function Qe(e,t,n,r){var o,s,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&(o[s].__=e,t=Qe(o[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=O(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!r&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function dn(e,t,n,r){var o,{key:s,type:i}=e,l=t[n],p=l&&!(2&l.__u);if(l===null&&s==null||p&&s==l.key&&i==l.type)return n;if(r>(p?1:0)){for(o=n-1;o>=0;o--)if((l=t[o])&&!(2&l.__u)&&s==l.key&&i==l.type)return o;for(o=n+1;o<t.length;o++)if((l=t[o])&&!(2&l.__u)&&s==l.key&&i==l.type)return o}return-1}function Ve(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Q(e,t,n,r,o){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Ve(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Ve(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(i=ve[t]||(ve[t]=_n(t)),(e.__a||(e.__a={}))[t]=xe,s=t!=(t=t.replace(Ke,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n==null?"":n)}catch(l){}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function _n(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Z]==null)t[Z]=xe++;else if(t[Z]<this.__a[e])return;return n(y.event?y.event(t):t)}}}function we(e,t,n,r,o,s,i,l,p,_){var u,g,d,a,f,b,m,S,h,w,v,be,Be,X,N,Fe,P,L,R=t.type;if(t.constructor!==F)return null;128&n.__u&&(p=32&n.__u,u=n.__c.__z)&&(t.__u|=p,g=s=[],u.nodeType==8?l=ne(u,s):s.push(u),l=s[0]||l),(u=y.__b)&&u(t);e:if(typeof R=="function"){d=i.length;try{if(S=t.props,h=(u=R.prototype)&&u.render,w=(u=R.contextType)&&r[u.__c],v=u?w?w.props.value:u.__:r,(a=n.__c)?(t.__c=a,2&a.__g&&(a.__g|=1)):(h?t.__c=a=new R(S,v):(t.__c=a=new te(S,v),a.constructor=R,a.render=mn),w&&w.sub(a),a.state||(a.state={}),a.__n=r,a.__g|=8,a.__h=[],a.__k=[]),h&&(a.__s||(a.__s=a.state),R.getDerivedStateFromProps&&(a.__s==a.state&&(a.__s=q({},a.__s)),q(a.__s,R.getDerivedStateFromProps(S,a.__s)))),f=a.props,b=a.state,a.__v=t,n.__c){if(S!==f&&h&&!R.getDerivedStateFromProps&&a.componentWillReceiveProps&&a.componentWillReceiveProps(S,v),t.__v==n.__v&&!(8&a.__g)||!(4&a.__g)&&a.shouldComponentUpdate&&a.shouldComponentUpdate(S,a.__s,v)===!1){t.__v!=n.__v&&(a.props=S,a.state=a.__s,a.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(k){k&&(k.__=t)}),se.push.apply(a.__h,a.__k),a.__k=[],a.__h.length&&i.push(a),l=O(n);break e}a.componentWillUpdate&&a.componentWillUpdate(S,a.__s,v),h&&a.componentDidUpdate&&a.__h.push(function(){a.componentDidUpdate(f,b,m)})}else h&&!R.getDerivedStateFromProps&&a.componentWillMount&&a.componentWillMount(),h&&a.componentDidMount&&a.__h.push(a.componentDidMount);a.context=v,a.props=S,a.__P=e,a.__g&=-5,be=y.__r,Be=h?25:0;do a.__g&=-9,be&&be(t),u=a.render(a.props,a.state=a.__s,a.context);while(8&a.__g&&++Be<25);h&&(se.push.apply(a.__h,a.__k),a.__k=[]),a.state=a.__s,a.getChildContext&&(r=q({},r,a.getChildContext())),h&&n.__c&&a.getSnapshotBeforeUpdate&&(m=a.getSnapshotBeforeUpdate(f,b)),X=u&&u.type===A&&u.key==null?u.props.children:u,S.__P&&(u=l,o=(e=S.__P).namespaceURI,p=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(k){k&&Te(k,k)}),n.__k=null),l=n.__k?O(n,0):null),l=Xe(e,Ee(X)?X:[X],t,n,r,o,s,i,l,p,_),S.__P&&(t.__e=null,l=u),t.__u&=-161,g&&g.some(M),a.__h.length&&i.push(a),1&a.__g&&(a.__g&=-4)}catch(k){if(i.length=d,t.__v=null,p||s)if(k&&k.then){if(t.__u|=128|p,s){for(~(P=s.indexOf(l||void 0))||(P=s.length);(L=s[P-1])&&L.nodeType==8;)P--;for(;P<s.length;P++)if(L=s[P])if(s[P]=null,N){if(L==Fe)break}else{if(L.nodeType!=8)break;L.data.startsWith("$s")&&(Fe=ne(N=L))}}if(!N){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;N=l}(u=ne(N=t.__c.__z||(t.__c.__z=N)))?(t.__e=N,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(M);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),k&&k.then||Ze(t),y.__e(k,t,n)}}else l=t.__e=fn(n.__e,t,n,r,o,s,i,p,_,e);return(u=y.diffed)&&u(t),l}function ne(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Ze(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ze))}function et(e,t,n){for(var r=0;r<n.length;)Ae(n[r++],n[r++],n[r++]);y.__c&&y.__c(t,e),e.some(function(o){try{e=o.__h,o.__h=[],e.some(function(s){s.call(o)})}catch(s){y.__e(s,o.__v)}})}function fn(e,t,n,r,o,s,i,l,p,_){var u,g,d,a,f,b,m,S,h=n.props||oe,{props:w,type:v}=t;if(v=="svg"?o="http://www.w3.org/2000/svg":v=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((f=s[u])&&(v?f.localName==v:f.nodeType==3)){e=f,s[u]=null;break}}if(!e){if(S=_.ownerDocument||document,!v)return S.createTextNode(w);e=S.createElementNS(o,v,w.is?w:_),l&&(y.__m&&y.__m(t,s),l=!1),s=null}if(v){if(_=v=="template"&&e.content||e,s=v=="textarea"&&w.defaultValue!=null?null:s&&Ye.call(_.childNodes),!l&&s)for(h={},u=0;u<e.attributes.length;u++)h[(f=e.attributes[u]).name]=f.value;for(u in h)f=h[u],u=="dangerouslySetInnerHTML"?d=f:u=="children"||(u in w)||u=="value"&&("defaultValue"in w)||u=="checked"&&("defaultChecked"in w)||Q(e,u,null,f,o);for(u in w)f=w[u],u=="children"?a=f:u=="dangerouslySetInnerHTML"?g=f:u=="value"?b=f:u=="checked"?m=f:l&&typeof f!="function"||h[u]===f||Q(e,u,f,h[u],o);g?(l||d&&(g.__html==d.__html||g.__html==e.innerHTML)||(e.innerHTML=g.__html),t.__k=[]):(d&&(e.textContent=""),(v=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&un.test(v))&&(o="http://www.w3.org/1999/xhtml"),Xe(_,Ee(a)?a:[a],t,n,r,o,s,i,s?s[0]:n.__k&&O(n,0),l,p),s&&s.some(M)),l&&v!="textarea"||(u="value",v=="progress"&&b==null?e.removeAttribute(u):b==null||b===e[u]&&(v!="progress"||b)||Q(e,u,b,h[u],o),u="checked",m!=null&&m!=e[u]&&Q(e,u,m,h[u],o))}else h===w||l&&e.data==w||(e.data=w);return e}function Ae(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){y.__e(o,n)}}function Te(e,t,n){var r,o,s,i;if(y.unmount&&y.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Ae(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(l){y.__e(l,t)}r.__P=r.__n=null}if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&Te(r[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(o=ne(r,s=[]))&&(r==e.__e&&s.some(M),M(o),M(r)),n||M(e.__e),e.__e=e.__c=e.__=null}function mn(e,t,n){return this.constructor(e,n)}function hn(e,t){var n,r,o,s;y.__&&y.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=ee(A,{children:[e]}),o=[],s=[],we(t,t.__k,r||oe,oe,t.namespaceURI,r?null:t.firstChild?Ye.call(t.childNodes):null,o,r?r.__e:t.firstChild,n,s),et(o,t.__k,s),t.__k.props.children=null}function tt(e,t){e&&typeof e=="object"&&(e.__u|=32),hn(e,t)}y={__e:function(e,t,n,r){for(var o,s,i;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((i=(s=o.constructor)&&s.getDerivedStateFromError)&&o.setState(s.getDerivedStateFromError(e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),i=1),i&&8&o.__g)return void(o.__g|=2)}catch(l){e=l}}throw re=0,e}},Ge=0,an=function(e){return e!=null&&e.constructor===F},te.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=q({},this.state)),typeof e=="function"&&(e=e(q({},n),this.props)),e&&(q(n,e),this.__v&&(t&&this.__k.push(t),je(this)))},te.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),je(this))},te.prototype.render=A,I=[],re=0,Je=function(e,t){return e.__v.__b-t.__v.__b},Z=Symbol(),Ke=/(PointerCapture)$|Capture$/i,xe=0,ve={},ln=0;var V,E,ke,nt,Re=Object.is,ie=0,pt=[],Ce=[],x=y,{__b:rt,__r:ot,diffed:st,__c:it,unmount:at,__:lt}=x;function Ie(e,t){x.__h&&x.__h(E,e,ie||t),ie=0;var n=E.__H||(E.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function T(e){return ie=1,gn(_t,e)}function gn(e,t,n){var r=Ie(V++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):_t(void 0,t),function(s){var i=(r.__N||r.__)[0],l=r.t(i,s);Re(i,l)||(r.__N=[l,r.__[1]],r.__c.setState({}))}],r.__c=E,!E.__f)){E.__f=!0;var o=E.shouldComponentUpdate;E.shouldComponentUpdate=function(s,i,l){var p=this.__H;if(!p)return!0;var _=!1,u=this.props!=s;if(p.__.some(function(d){d.__N&&(_=!0,Re(d.__[0],d.__N[0])||(u=!0))}),o){var g=o.call(this,s,i,l);return _?g||u:g}return!_||u}}return r.__}function H(e,t){var n=Ie(V++,4);!x.__s&&dt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,E.__h.push(n))}function ae(e){return ie=5,yn(function(){return{current:e}},[])}function yn(e,t){var n=Ie(V++,7);return dt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function bn(){var e;do{for(;e=Ce.shift();)try{j(e)}catch(n){x.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=pt.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(j),t.__h.some(Pe),t.__h=[]}catch(n){t.__h=[],x.__e(n,e.__v)}}}while(Ce.length)}x.__b=function(e){E=null,rt&&rt(e)},x.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),lt&&lt(e,t)},x.__r=function(e){ot&&ot(e),V=0;var t=(E=e.__c).__H;t&&(ke==E?E.__h=[]:(t.__h.some(j),t.__h.some(Pe),V=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),ke=E},x.diffed=function(e){st&&st(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&ct(pt.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),ke=E=null},x.__c=function(e,t){t.some(function(n){try{n.__h.some(j),n.__h=n.__h.filter(function(r){return!r.__||Pe(r)})}catch(r){n.__h=[function(){throw r}]}}),it&&it(e,t)},x.unmount=function(e){at&&at(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,ct(Ce.push(o))}else j(o)}catch(s){t=s}}),r.__H=void 0,t&&x.__e(t,r.__v))};var ut=typeof requestAnimationFrame=="function";function Sn(e){var t,n=function(){clearTimeout(r),ut&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);ut&&(t=requestAnimationFrame(n))}function ct(e){e!=1&&nt==x.requestAnimationFrame||((nt=x.requestAnimationFrame)||Sn)(bn)}function j(e){var t=E,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),E=t}function Pe(e){var t=E;e.__c=e.__(),E=t}function dt(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Re(n,e[r])})}function _t(e,t){return typeof t=="function"?t(e):t}var G="/v1";var le="/docs/errors";var ft="/docs/changes";var mt="/docs/search.json",ht="/docs/search.js";var gt="/client.tgz",vr={deprecatedAt:new Date("2026-11-14T00:00:00Z"),removedAt:new Date("2030-12-05T00:00:00Z"),successor:"listPets",advice:`Use \`GET ${G}/pets\` with the \`status\` filter. To read one pet, use \`after={petId - 1}&limit=1\` and compare the id: if no pet has this id, the response has the next pet.`};var vn=Symbol.for("pv"),xn=0;function c(e,t,n,r,o,s){t||(t={});var i,l,p=t;if("ref"in p&&typeof e!="function")for(l in p={},t)l=="ref"?i=t[l]:p[l]=t[l];var _={type:e,props:p,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:vn,__v:--xn,__i:-1,__u:0};return(o||s)&&(_.__source=o,_.__self=s),y.vnode&&y.vnode(_),_}function J({language:e,code:t}){return c("pre",{class:"code",tabIndex:0,children:c("code",{children:An(e,t).map(({kind:n,text:r})=>n===void 0?r:c("span",{class:`code-${n}`,children:r}))})})}function ue({what:e="code"}){return c("button",{type:"button",class:"copy secondary small needs-script","aria-live":"polite",children:["Copy",c("span",{class:"hidden",children:[" ",e]})]})}var En=Oe({name:/"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b\w+(?=\()/,comment:/(?<=^|\s)(?:\/\/|#).*/,string:/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,number:/(?<![\w.])-?\d+(?:\.\d+)?n?\b/,keyword:new RegExp("\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|for|while|of|with|as|try|except|raise|package|func|var|defer|nil)\\b")}),yt=Oe({comment:/(?<=^|\s)#.*/,string:/'[^']*'?|"[^"]*"?/,keyword:/(?<=\s)--?[a-zA-Z][\w-]*/,name:/^curl\b/}),wn={curl:yt,sh:yt,http:Oe({name:/^[\w-]+(?=:)/})};function Oe(e){let t=Object.entries(e).map(([n,{source:r}])=>`(?<${n}>${r})`);return new RegExp(t.join("|"),"gm")}function An(e,t){let n=[],r=0;for(let{0:o,index:s,groups:i={}}of t.matchAll(wn[e]??En)){if(o==="")continue;if(s>r)n.push({text:t.slice(r,s)});n.push({kind:Object.keys(i).find((l)=>i[l]!==void 0),text:o}),r=s+o.length}if(r<t.length)n.push({text:t.slice(r)});return n}function ce(e){return`'${e.replaceAll("'","'\\''")}'`}var bt=`# curl

## A request

\`\`\`sh
curl -X {{methodAndUrl}} \\
  -i --fail-with-body \\
  {{options}} \\
  {{lastOption}}
\`\`\`

## Every page

\`\`\`sh
url={{url}}
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt -w '\\n' "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || break
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done
\`\`\`

## A request with retries

\`\`\`sh
send() {
  curl -X {{methodAndUrl}} \\
    -isS -m 30 -w '\\n%{http_code}' \\
    {{options}} \\
    {{lastOption}}
}

for attempt in 0 1 2 3 4 5; do
  # 000 without a complete response
  response=$(send) && code=\${response##*[!0-9]} || code=000
  case $code in 000 | {{retried}}) ;; *) break ;; esac
  after=$(printf '%s' "$response" |
    sed -n 's/^[Rr]etry-[Aa]fter: *\\([0-9]*\\).*/\\1/p' | head -n 1)
  [ "\${after:=0}" -le 120 ] && [ $attempt -lt 5 ] || break
  # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  random=$(od -An -N2 -tu2 /dev/urandom)
  sleep "$(awk "BEGIN { print $after + $random / 65536 * 2 ^ $attempt }")"
done
printf '%s\\n' "$response"
[ "\${code%??}" = 2 ]
\`\`\`
`;var St=`# JavaScript

## A request

\`\`\`js
const response = await fetch({{url}}, {
  method: '{{method}}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
    {{headers}},
  },
  body: {{body}},
});

// JSON.parse would round ids beyond 2^53.
const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);
\`\`\`

## Every page

\`\`\`js
let url = {{url}};
while (url !== undefined) {
  const response = await fetch(url, {
    headers: { Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
  const link = response.headers.get('Link');
  url = /<([^>]*)>; rel="next"/.exec(link)?.[1];
}
\`\`\`

## A request with retries

\`\`\`js
const send = () => fetch({{url}}, {
  method: '{{method}}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
    {{headers}},
  },
  body: {{body}},
  signal: AbortSignal.timeout(30_000),
});

for (let attempt = 0; ; attempt++) {
  let failure;
  let wait = 0;
  try {
    const response = await send();
    wait = parseInt(response.headers.get('Retry-After')) || 0;
    const text = await response.text();
    console.log(response.status, text);
    if (response.ok) break;
    failure = new Error(text);
    const retried = [{{retried}}];
    if (!retried.includes(response.status)) wait = Infinity;
  } catch (error) {
    failure = error; // no complete response
  }
  if (wait > 120 || attempt === 5) throw failure;
  // Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  const seconds = wait + Math.random() * 2 ** attempt;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
\`\`\`
`;var vt=`# Go

## A request

\`\`\`go
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	{{bodyPackage}}
)

func main() {
	request, err := http.NewRequest(
		"{{method}}",
		{{url}},
		{{bodyReader}},
	)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
	request.Header.Set({{headers}})

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}
\`\`\`

## Every page

\`\`\`go
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
)

var next = regexp.MustCompile(\`<([^>]*)>; rel="next"\`)

func main() {
	url := {{url}}
	for url != "" {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			log.Fatal(err)
		}
		if response.StatusCode >= 300 {
			log.Fatalln(response.Status, string(body))
		}
		fmt.Println(string(body))

		url = ""
		if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
}
\`\`\`

## A request with retries

\`\`\`go
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	{{bodyPackage}}
	"time"
)

var client = http.Client{Timeout: 30 * time.Second}

func main() {
	for attempt := 0; ; attempt++ {
		wait, err := send()
		if err == nil {
			return
		}
		if wait > 120 || attempt == 5 {
			log.Fatal(err)
		}
		// Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
		wait += rand.Float64() * math.Pow(2, float64(attempt))
		time.Sleep(time.Duration(wait * float64(time.Second)))
	}
}

// Returns an error with the seconds to wait before the next attempt.
func send() (wait float64, err error) {
	request, err := http.NewRequest(
		"{{method}}",
		{{url}},
		{{bodyReader}},
	)
	if err != nil {
		return wait, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
	request.Header.Set({{headers}})

	response, err := client.Do(request)
	if err != nil {
		return wait, err
	}
	defer response.Body.Close()
	wait, _ = strconv.ParseFloat(response.Header.Get("Retry-After"), 64)

	body, err := io.ReadAll(response.Body)
	if err != nil {
		return wait, err
	}
	fmt.Println(response.Status, string(body))
	if response.StatusCode < 300 {
		return 0, nil
	}
	switch response.StatusCode {
	case {{retried}}:
		return wait, errors.New(response.Status)
	}
	return math.Inf(1), errors.New(response.Status)
}
\`\`\`
`;var xt=`# Python

## A request

\`\`\`python
import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    {{url}},
    method="{{method}}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
        {{headers}},
    },
    data={{body}}.encode(),
)

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")
\`\`\`

## Every page

\`\`\`python
import json
import os
import re
import urllib.error
import urllib.request

url = {{url}}
headers = {"Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}"}
while url:
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request) as response:
            for pet in json.load(response):
                print(pet)
            link = response.headers.get("Link", "")
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{error.code} {error.read().decode()}")
    following = re.search('<([^>]*)>; rel="next"', link)
    url = following and following[1]
\`\`\`

## A request with retries

\`\`\`python
import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request

request = urllib.request.Request(
    {{url}},
    method="{{method}}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
        {{headers}},
    },
    data={{body}}.encode(),
)

for attempt in range(6):
    wait = 0
    try:
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                print(response.status, json.load(response))
                break
        except urllib.error.HTTPError as error:
            after = error.headers.get("Retry-After", "")
            wait = int(after) if after.isdecimal() else 0
            failure = f"{error.code} {error.read().decode(errors='replace')}"
            if error.code not in ({{retried}}):
                raise SystemExit(failure)
    except (OSError, http.client.HTTPException) as error:
        failure = f"No complete response: {error}"
    if wait > 120 or attempt == 5:
        raise SystemExit(failure)
    # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
    time.sleep(wait + random.random() * 2**attempt)
\`\`\`
`;var At=-(2n**63n),Tt=2n**63n-1n,Nr=`must be an integer from ${At} to ${Tt}`,Pn=/^(?:0|-?[1-9][0-9]{0,18})$/,In=/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;var Et=/[1-9]/;function wt(e){if(!Pn.test(e))return;let t=BigInt(e);return t>=At&&t<=Tt?t:void 0}function kt(e){let t=wt(e);if(t!==void 0)return t;let n=In.exec(e),[,r,o="",s="",i="0"]=n,l=o+s,p=l.search(Et);if(p===-1)return 0n;let _=o.length+Number(i);if(_<=p||_-p>19||Et.test(l.slice(_)))return;return wt(r+l.slice(p,_).padEnd(_-p,"0"))}class de extends Error{name="JsonSyntaxError"}var Rt=64,On=1000,Le=34,Nn=92,Ln=32,$n=57,Ne=/[ \n\r\t]*/y,Pt="\\u0000-\\u001F",Ct=new RegExp(`[${Pt}]`,"g"),Mn=new RegExp(`[\\\\${Pt}]`),pe=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;function It(e,t=1/0){return new Ot(e,t).parse()}class Ot{text;maxValues;#e=0;#a=-1;constructor(e,t){this.text=e;this.maxValues=t}parse(){let e=this.#o(1);if(this.#e<this.text.length)this.#n("expected the end");return e}#n(e){throw new de(`is not valid JSON: ${e} at character ${this.#e+1}`)}#r(){if(this.text.charCodeAt(this.#e)>Ln)return;Ne.lastIndex=this.#e,Ne.test(this.text),this.#e=Ne.lastIndex}#t(e){if(!this.text.startsWith(e,this.#e))return!1;return this.#e+=e.length,!0}#s(){let e=this.text,t=this.#e,n=e.indexOf('"',t+1);if(qn(e,n))n=Hn(e,n+1);if(n===-1)this.#i(t,e.length,"a string has no end");this.#e=n+1;let r=e.slice(t+1,n);if(!Mn.test(r))return r;try{return JSON.parse(e.slice(t,this.#e))}catch{return this.#i(t,this.#e,"a string has an invalid escape")}}#i(e,t,n){Ct.lastIndex=e;let r=Ct.exec(this.text)?.index??t;this.#e=Math.min(r,t),this.#n(r<t?"a string has an unescaped control character":n)}#l(){if(pe.lastIndex=this.#e,!pe.test(this.text))this.#n("expected a value");let e=this.text.slice(this.#e,pe.lastIndex);return this.#e=pe.lastIndex,kt(e)??(e.length>On?Number.NaN:Number(e))}#u(e){let t=[];if(this.#r(),this.#t("]"))return t;do t.push(this.#o(e));while(this.#t(","));if(!this.#t("]"))this.#n('expected "," or "]"');return t}#c(e){let t=Object.create(null);if(this.#r(),this.#t("}"))return t;do{if(this.#r(),this.text.charCodeAt(this.#e)!==Le)this.#n("expected the name of a field in double quotes");let n=this.#e,r=this.#s();if(r in t)this.#e=n,this.#n("a field is repeated");if(this.#r(),!this.#t(":"))this.#n('expected ":"');t[r]=this.#o(e)}while(this.#t(","));if(!this.#t("}"))this.#n('expected "," or "}"');return t}#o(e){if(e>Rt)throw new de(`is nested deeper than ${Rt} levels`);if(++this.#a>this.maxValues)throw new de(`has more than ${this.maxValues} values`);this.#r();let t,n=this.text.charCodeAt(this.#e);if(n===Le)t=this.#s();else if(n<=$n)t=this.#l();else if(this.#t("{"))t=this.#c(e+1);else if(this.#t("["))t=this.#u(e+1);else if(this.#t("true"))t=!0;else if(this.#t("false"))t=!1;else if(this.#t("null"))t=null;else this.#n("expected a value");return this.#r(),t}}function qn(e,t){let n=t;while(e[n-1]==="\\")n--;return(t-n)%2===1}function Hn(e,t){for(let n=t;n<e.length;n++){let r=e.charCodeAt(n);if(r===Le)return n;if(r===Nn)n++}return-1}function _e(e,t){return JSON.stringify(e,(n,r)=>Un(r),t)}function Un(e){if(typeof e!=="bigint")return e;let t=Number(e);return Number.isSafeInteger(t)?t:JSON.rawJSON(String(e))}var $e=[408,429,502,503,504];function K({baseUrl:e,path:t,values:n}){let r=t.replace(/\{(\w+)\}/g,(s,i)=>encodeURIComponent((n.path[i]??"").toWellFormed())),o=new URLSearchParams(n.query);return`${e}${r}${o.size>0?`?${o}`:""}`}function U({values:e,otherBody:t}){return t??(e.body&&_e(e.body))}function Y(e){let t=Object.entries(e.values.header);if(U(e)!==void 0)t.push(["Content-Type","application/json"]);return t}var fe=/^-?(?:0|[1-9][0-9]*)$/,Dn=/[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;function W(e){return JSON.stringify(e).replace(Dn,(t)=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)}function C(e){return`'${W(e).slice(1,-1).replaceAll("\\\"",'"').replaceAll("'","\\'")}'`}var Nt=B("curl","curl",bt,(e)=>{let t=U(e),n=['-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',...Y(e).map((o)=>`-H ${ce(o.join(": "))}`)];if(t!==void 0)n.push(`--data-raw ${ce(t)}`);let r=ce(K(e));return{url:r,retried:$e.join(" | "),methodAndUrl:`${e.method} ${r}`,options:n.slice(0,-1),lastOption:n.slice(-1)}}),me=B("fetch","JavaScript",St,(e)=>Me(e,C)),Lt=B("python","Python",xt,(e)=>Me(e,W)),$t=B("go","Go",vt,(e)=>{let t=U(e);return{...Me(e,W,", "),bodyPackage:t===void 0?[]:'"strings"',bodyReader:t===void 0?"nil":`strings.NewReader(${Bn(t)})`}});function Me(e,t,n=": "){let r=U(e);return{url:t(K(e)),headers:Y(e).map((o)=>o.map(t).join(n)),body:r===void 0?[]:C(r)}}function Bn(e){let t=W(e);return/[`\r]/.test(e)||/\\u/.test(t)?t:`\`${e}\``}function B(e,t,n,r){let o=Array.from(n.matchAll(/^```\w+\n(.*?)\n```$/gms),([,p=""])=>p),[s,i,l]=o.map((p)=>(_)=>{let{method:u}=_;return Fn(p,{method:u,retried:$e.join(", "),...r(_)})});return{id:e,title:t,request:s,pageLoop:i,retryLoop:l}}function Fn(e,t){return e.split(`
`).flatMap((r)=>{let[o,s]=/\{\{(\w+)\}\}/.exec(r)??[];if(o===void 0||s===void 0)return r;let i=t[s];if(i===void 0)throw Error(`The sample has no value for ${o}.`);return[i].flat().map((l)=>r.replace(o,()=>l))}).join(`
`)}var Mt={id:"int64",name:"text",categoryId:"int64",status:"text"};var qt=`# TypeScript

## A request

\`\`\`ts
// npm install {{package}}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: {{baseUrl}} });

{{call}}
\`\`\`

## Every page

\`\`\`ts
// npm install {{package}}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: {{baseUrl}} });

// Requests the next page when the loop gets there.
for await (const pet of store.pets({ pageSize: 100 })) console.log(pet);
\`\`\`

## A request with retries

\`\`\`ts
// The client waits, backs off and repeats for you.
// npm install {{package}}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: {{baseUrl}} });

{{call}}
\`\`\`
`;var Ht=B("typescript","TypeScript",qt,(e)=>{let{operation:t,baseUrl:n,values:r}=e;return{package:n.slice(0,-G.length)+gt,baseUrl:C(n),call:Vn[t](r)}}),Dt={...Ht,request:(e)=>e.otherBody===void 0?Ht.request(e):`// The client sends only pets. Other JSON needs fetch.
${me.request(e)}`},Vn={listPets({query:e}){return`const page = await store.listPets(${Ut(e,(n,r)=>Gn[n](r))});
console.log(page.pets);`},createPet({body:e={},header:t}){let n=Ut(e,Jn),r=t["Idempotency-Key"],o=r===void 0?"":`, { idempotencyKey: ${C(r)} }`;return`const pet = await store.createPet(${n}${o});
console.log(pet);`},getPet:({path:e})=>`// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${Bt(e.petId??"")});
console.log(pet); // undefined if there is none`},Gn={limit:Ft,status:C,after:Bt};function Bt(e){return Ft(e,"n")}function Ft(e,t=""){return fe.test(e)?e+t:C(e)}function Jn(e,t){if(typeof t==="string")return C(t);return Mt[e].startsWith("int64")?`${t}n`:`${t}`}function Ut(e,t){let n=Object.entries(e).map(([r,o])=>`  ${r}: ${t(r,o)},
`);return n.length===0?"":`{
${n.join("")}}`}var z=[Nt,Dt,me,Lt,$t];var Kn=["bad","neutral","good","info","warning","bad"];function jt({status:e,title:t}){return c("span",{class:`badge status ${Kn[Math.floor(e/100)]}`,children:t??e})}function Vt({outcome:e,isSending:t}){let{title:n,status:r=0,note:o,body:s,headers:i,errorCode:l}=e;return c("div",{class:"response","aria-busy":t,children:[c("div",{class:"line",children:[c("span",{role:"status",children:t?"Sending…":c(A,{children:[c(jt,{status:r,title:n})," ",c("span",{class:"note",children:o})]})}),s&&c(ue,{what:"response"})]}),l!==void 0&&c("p",{class:"error-code",children:["Error"," ",c("a",{href:`.${le}#${l}`,children:c("code",{children:l})}),": what it means and what to do"]}),s&&c(J,{language:"json",code:Yn(s)}),i!==void 0&&c("details",{children:[c("summary",{children:["Headers ",c("span",{class:"note",children:i.length})]}),c(J,{language:"http",code:i.map(([p,_])=>`${p}: ${_}`).join(`
`)})]})]})}function Yn(e){try{return _e(It(e),2)}catch{return e}}class qe extends EventTarget{storage;name;#e;constructor(e,t){super();this.storage=e;this.name=t;this.#e=Gt(()=>e().getItem(t))??""}get value(){return this.#e}set(e){this.#e=e,Gt(()=>this.storage().setItem(this.name,e)),this.dispatchEvent(new Event("change"))}}var D=new qe(()=>sessionStorage,"animal-store.key"),He=new qe(()=>localStorage,"animal-store.language");function Ue(e){let[t,n]=T();return H(()=>{let r=()=>n(e.value);e.addEventListener("change",r),r()},[e]),t}function Gt(e){try{return e()}catch{return}}var Wn=/#(\w+)>; rel="help"/,zn=/[?&]after=(-?\d+)[^>]*>; rel="next"/;function Jt(e){let[t,n]=T(e),[r,o]=T(!1),s=ae(void 0);return{outcome:t,isSending:r,sendOrCancel:async(l)=>{if(s.current!==void 0)return s.current.abort();s.current=new AbortController,o(!0);let{signal:p}=s.current;await Zn(l(),p),n(await Kt(l(),p)),o(!1),s.current=void 0}}}async function Kt(e,t){let{method:n}=e,r=Y(e);if(D.value!=="")r.push(["Authorization",`Bearer ${D.value}`]);let o=performance.now();if(r.some(([,s])=>/[^\x20-\x7e]/.test(s)))return{title:"Not sent",note:Xn};try{let s=await fetch(K(e),{method:n,headers:r,signal:t,body:U(e)??null,cache:"no-store",credentials:"omit"}),i=await tr(s,o);if(s.ok)er(n==="POST",i.body);return i}catch(s){if(!t.aborted)return{title:"No response",note:`${Qn} ${s}`};return{title:"Canceled",note:n==="GET"?"":"The service may have processed the request already."}}}var Xn="A header may contain only ASCII characters. Check your API key.",Qn="The service cannot be reached from this page. Check your connection and the headers.",he="nothing",Yt=()=>document.querySelector("[data-place=path]");async function Zn(e,t){let[n="",r]=e.path.split("/{"),o=Yt(),s=he==="nothing"&&o?.value===o?.defaultValue;if(r===void 0||!s||D.value==="")return;he="listed",await Kt({...e,path:n,values:{path:{},query:{limit:"1"},header:{}}},t)}function er(e,t){let[,n]=/"id":(-?\d+)/.exec(t)??[],r=Yt();if(n===void 0||r===null||he==="added"&&!e)return;he=e?"added":"listed",r.defaultValue=n,r.dispatchEvent(new Event("input",{bubbles:!0}))}async function tr(e,t){let{status:n,statusText:r,headers:o}=e,s=await e.text(),i=o.get("Link")??"";return{title:`${n} ${r}`.trim(),status:n,note:`${Math.round(performance.now()-t)} ms${nr(o)}`,body:s,headers:[...o],nextAfter:zn.exec(i)?.[1],errorCode:Wn.exec(i)?.[1]}}function nr(e){let[t,n,r]=["Limit","Remaining","Reset"].map((s)=>e.get(`X-RateLimit-${s}`));if(!r)return"";let o=new Date(Number(r)*1000).toLocaleTimeString("en-GB");return`, ${n} of ${t} requests left until ${o}`}function zt({id:e,request:t,example:n}){let r=ae(null),o=()=>r.current?.closest("form"),[s,i]=T(t),{outcome:l,isSending:p,sendOrCancel:_}=Jt(n),{nextAfter:u}=l;H(()=>{let d=o();if(!d)return;let a=()=>i(Wt(d,t));d.addEventListener("input",a),d.addEventListener("submit",(f)=>{f.preventDefault(),a(),_(()=>Wt(d,t))}),a()},[]);let g=()=>{let d=o()?.querySelector("[name=after]");if(!d)return;d.value=u??"",d.form?.requestSubmit()};return c("div",{class:"panel",ref:r,children:[c(Qt,{codeOf:(d)=>d.request(s)}),c("div",{class:"line send needs-script",children:[c("button",{type:"submit",onClick:(d)=>d.detail>1&&d.preventDefault(),children:[p?"Cancel":"Send",c("span",{class:"hidden",children:[" ",s.operation]})]}),c(rr,{})]}),c(Vt,{outcome:l,isSending:p}),e===s.operation&&u!==void 0&&c("p",{children:c("button",{type:"button",class:"secondary",onClick:g,children:"Next page"})})]})}function Xt({loop:e,request:t}){let[n,r]=T(t.baseUrl);return H(()=>r(Zt()),[]),c("div",{class:"panel",children:c(Qt,{codeOf:(o)=>o[e]({...t,baseUrl:n})})})}function rr(){let e=Ue(D)??"";return c("input",{type:"password",autocomplete:"off","aria-label":"API key",title:"Kept until the tab closes",placeholder:"API key: ask_…",value:e,onInput:({currentTarget:t})=>D.set(or(t.value))})}function or(e){return e.replace(/^\s*Bearer\s|\s/gi,"")}function Qt({codeOf:e}){let t=Ue(He),n=z.find(({id:o})=>o===t)??z[0],r=t===void 0?z:[n];return c(A,{children:[c("div",{class:"line needs-script",children:[c("select",{"aria-label":"Language",value:n.id,onChange:({currentTarget:o})=>He.set(o.value),children:z.map(({id:o,title:s})=>c("option",{value:o,children:s},o))}),c(ue,{})]}),r.map((o)=>c(A,{children:[c("p",{class:"language",children:o.title}),c(J,{language:o.id,code:e(o)})]},o.id))]})}function Wt(e,t){let n=structuredClone(t.values);for(let{name:o,value:s,inputMode:i,dataset:l}of e.querySelectorAll("[data-place]")){let p=n[l.place]??{},_=s.trim(),u=p===n.body,g=u&&i==="numeric"&&fe.test(_),d=u&&l.type==="boolean";if(p[o]=g?BigInt(_):d?_==="true":_,_==="")delete p[o]}let r=e.querySelector("details[open] textarea")?.value.toWellFormed()||void 0;return{...t,baseUrl:Zt(),values:n,otherBody:r}}function Zt(){return location.origin+new URL(`..${G}`,import.meta.url).pathname}function en({root:e}){let[t,n]=T(""),[r,o]=T(),[s,i]=T("Loading…");H(lr,[]);let l=async()=>{try{let u=r??await ar(e);o(()=>u)}catch{i("Search is not available. Reload the page to try again.")}},p=r?.(t)??[],_=()=>{n(""),document.activeElement.blur()};return c("search",{class:"search needs-script",onKeyDown:(u)=>u.key==="Escape"?_():sr(u),children:[c("input",{id:"search",type:"search","aria-label":"Search the documentation","aria-keyshortcuts":"/",placeholder:"Search",autocomplete:"off",spellcheck:!1,value:t,onInput:({currentTarget:u})=>n(u.value),onFocus:l}),c("div",{class:"search-list",hidden:t==="",children:[p.map(({title:u,place:g,text:d,href:a})=>c("a",{href:e+a,tabIndex:0,onClick:_,children:[c("b",{children:u}),c("span",{class:"note",children:g}),c("span",{class:"search-text note",children:d})]},a)),c("p",{role:"status",class:"note",children:r===void 0?s:ir(p)})]})]})}function sr(e){let t=[...e.currentTarget.querySelectorAll("input, a")],n=t.indexOf(e.target);if(e.key==="ArrowDown")t[(n+1)%t.length]?.focus();else if(e.key==="ArrowUp")t.at(n-1)?.focus();else if(e.key==="Enter"&&n===0)t[1]?.click();else return;e.preventDefault()}function ir({length:e}){return e===1?"1 result":`${e||"No"} results`}async function ar(e){let t=(o)=>new URL(e+o.slice(1),location.href).href,[{newSearch:n},r]=await Promise.all([import(t(ht)),fetch(t(mt))]);return n(await r.json())}function lr(){let e=document.getElementById("search");if(matchMedia("(hover: hover)").matches)e.placeholder="Type / to search";document.addEventListener("keydown",(t)=>{let{key:n,ctrlKey:r,metaKey:o,altKey:s,target:i}=t;if(n!=="/"||r||o||s)return;if(i instanceof Element&&i.matches("input, select, textarea"))return;t.preventDefault(),e.focus()})}function tn({name:e,columns:t,rows:n}){return c("table",{role:"table",class:e,children:[c("thead",{role:"rowgroup",children:c("tr",{role:"row",children:t.map((r)=>c("th",{role:"columnheader",scope:"col",children:r}))})}),c("tbody",{role:"rowgroup",children:n.map(([r,...o])=>c("tr",{role:"row",children:[c("th",{role:"rowheader",scope:"row",children:r}),o.map((s)=>c("td",{role:"cell",children:s}))]}))})]})}function nn(e){let[t,n]=T({}),{message:r,state:o,bannedUntilSeconds:s,expiresAtMs:i,isReadOnly:l}=t,{windows:p,requests:_,refusals:u=[]}=t;return c(A,{children:[c("form",{class:"line send",onSubmit:async(d)=>{d.preventDefault();let f={Accept:"application/json",Authorization:`Bearer ${new FormData(d.currentTarget).get("key")}`},b=fetch(location.pathname,{headers:f}).then((m)=>m.json());n(await b.catch(()=>({message:"The service did not respond."})))},children:[c("input",{name:"key",type:"password",autocomplete:"off",required:!0,"aria-label":"API key"}),c("button",{type:"submit",children:"Show usage"})]}),c("p",{role:"status",children:[r,o&&`The key is ${l?"read-only and ":""}${o}.`,s&&` The ban ends on ${ge(s*1000)}.`,i&&` It expires on ${ge(i)}.`]}),p&&[p.minute,p.day].map(({limit:d,remaining:a,resetAtSeconds:f})=>c("label",{class:"note",children:[ye(a)," of ",ye(d)," requests left until"," ",ge(f*1000),c("meter",{max:d,value:d-a})]},f)),_&&c(A,{children:[c(tn,{name:"figures",columns:["Requests","Result","Today","30 days","By day"],rows:_.map(({operation:d,result:a,days:f})=>[d,a.replace(/[A-Z]/g," $&").toLowerCase(),ye(f.at(-1)),ye(f.reduce((b,m)=>b+m)),c(ur,{days:f})])}),c("p",{children:["You ",_.some(({operation:d})=>d==="getPet")?"still":"do not"," call getPet, which is ",c("a",{href:`.${ft}#deprecations`,children:"deprecated"}),"."]}),c("h3",{children:"Last refusals"})]}),u.map(({atMs:d,code:a,operation:f,requestId:b})=>c("p",{class:"note",children:[c("a",{href:`.${le}#${a}`,children:a})," ",f," ",ge(d)," ",b]},b))]})}function ur({days:e}){let t=Math.max(...e);return c("svg",{viewBox:"0 0 30 1",preserveAspectRatio:"none","aria-hidden":"true",children:c("path",{d:e.map((n,r)=>`M${r}.5 1v-${n/t}`).join("")})})}function ge(e){return new Date(e).toLocaleString("en-GB")}function ye(e=0){return e.toLocaleString("en-US")}var cr={"code-panel":zt,"loop-panel":Xt,"search-box":en,"usage-view":nn};function rn(){for(let e of document.querySelectorAll("[data-island]")){let{island:t,props:n="{}"}=e.dataset,r=cr[t];tt(c(r,{...JSON.parse(n)}),e)}}function on(e){let t=new Map,n=new IntersectionObserver((r)=>{for(let{target:o,isIntersecting:s}of r){let i=t.get(o);if(i?.removeAttribute("aria-current"),i===void 0||!s)continue;i.setAttribute("aria-current","location"),pr(e,i)}},{rootMargin:"-20% 0px -80%"});for(let r of e.querySelectorAll("li a")){let o=document.getElementById(r.hash.slice(1));if(o===null||r.pathname!==location.pathname)continue;t.set(o,r),n.observe(o)}}function pr(e,t){let n=e.getBoundingClientRect(),r=t.getBoundingClientRect().top-(n.top+n.height/2);if(Math.abs(r)>n.height/4)e.scrollTop+=r}function sn(e){e.addEventListener("click",({target:t})=>{if(t instanceof Element&&t.closest("a")!==null&&e.matches(":popover-open"))e.hidePopover()})}var dr=2000;rn();_r();var De=document.getElementById("navigation");if(De!==null)on(De),sn(De);function _r(){document.addEventListener("click",async({target:e})=>{let t=e instanceof Element?e.closest(".copy"):null,n=t?.closest(":has(pre)")?.querySelector("pre"),r=t?.firstChild;if(!n||!r)return;await fr(n),r.nodeValue="Copied",setTimeout(()=>{r.nodeValue="Copy"},dr)})}async function fr(e){try{await navigator.clipboard.writeText(e.innerText)}catch{getSelection()?.selectAllChildren(e),document.execCommand("copy")}}
